// A Gomoku bot for Botzone: the free point nearest to the centre. One process per move, one line of JSON.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

int main() {
  const int SIZE = 15;
  bool taken[SIZE][SIZE] = {};
  std::string line;
  std::getline(std::cin, line);
  // Every point of the game so far is {"x":ROW,"y":COLUMN}, whoever played it; -1 is no point.
  for (size_t at = line.find("\"x\""); at != std::string::npos; at = line.find("\"x\"", at + 1)) {
    size_t y_at = line.find("\"y\"", at);
    if (y_at == std::string::npos) break;
    int x = std::atoi(line.c_str() + line.find(':', at) + 1), y = std::atoi(line.c_str() + line.find(':', y_at) + 1);
    if (x >= 0 && x < SIZE && y >= 0 && y < SIZE) taken[x][y] = true;
  }
  int best_x = -1, best_y = -1, distance = 0;
  for (int x = 0; x < SIZE; x++)
    for (int y = 0; y < SIZE; y++) {
      int here = std::abs(x - SIZE / 2) + std::abs(y - SIZE / 2);
      if (!taken[x][y] && (best_x < 0 || here < distance)) best_x = x, best_y = y, distance = here;
    }
  std::printf("{\"response\":{\"x\":%d,\"y\":%d}}\n", best_x, best_y);
}
