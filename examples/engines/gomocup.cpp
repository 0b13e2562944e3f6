// A Gomoku engine that speaks the Gomocup protocol: completes its longest line, or blocks the opponent's.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

int size = 15;
std::vector<int> board(15 * 15);  // 0 empty, 1 own, 2 opponent's

int at(int x, int y) { return x < 0 || y < 0 || x >= size || y >= size ? -1 : board[y * size + x]; }

int run(int x, int y, int dx, int dy, int side) {
  int length = 0;
  while (at(x + dx * (length + 1), y + dy * (length + 1)) == side) length++;
  return length;
}

int score(int x, int y) {
  int best = 0;
  for (int side : {1, 2})
    for (auto [dx, dy] : {std::pair{1, 0}, {0, 1}, {1, 1}, {1, -1}})
      best = std::max(best, 2 * (run(x, y, dx, dy, side) + run(x, y, -dx, -dy, side)) + 2 - side);
  // Among equals the point nearest to the centre; less than one line's worth in all.
  return best * 100 - std::abs(x - size / 2) - std::abs(y - size / 2);
}

void move() {
  int best = -1, value = 0;
  for (int cell = 0; cell < size * size; cell++)
    if (board[cell] == 0 && (best < 0 || score(cell % size, cell / size) > value)) {
      best = cell;
      value = score(cell % size, cell / size);
    }
  if (best < 0) {
    std::cout << "ERROR the board is full" << std::endl;
    return;
  }
  board[best] = 1;
  std::cout << best % size << ',' << best / size << std::endl;
}

/// Puts a stone from text such as `7,8` or `7,8,1`; false if it is none.
bool put(const std::string& text, int side) {
  int x, y;
  if (std::sscanf(text.c_str(), "%d,%d,%d", &x, &y, &side) < 2 || at(x, y) != 0) return false;
  board[y * size + x] = side == 1 ? 1 : 2;
  return true;
}

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string command, word;
    words >> command >> word;
    if (command == "START" || command == "RESTART") {
      if (command == "START" && std::sscanf(word.c_str(), "%d", &size) != 1) size = 15;
      size = std::clamp(size, 5, 22);
      board.assign(size * size, 0);
      std::cout << "OK" << std::endl;
    } else if (command == "BEGIN") {
      move();
    } else if (command == "TURN") {
      if (put(word, 2)) move();
      else std::cout << "ERROR not a free point: " << word << std::endl;
    } else if (command == "BOARD") {
      board.assign(size * size, 0);
      while (std::getline(std::cin, line) && line.rfind("DONE", 0) != 0) put(line, 1);
      move();
    } else if (command == "ABOUT") {
      std::cout << "name=\"first-cpp\", version=\"1\"" << std::endl;
    } else if (command == "END") {
      return 0;
    } else if (command != "INFO") {
      std::cout << "UNKNOWN" << std::endl;
    }
  }
}
