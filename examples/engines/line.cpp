// A Hex engine for the line protocol on 11x11: the free cell nearest to the centre. It never swaps.
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

const int SIZE = 11;
std::vector<bool> taken(SIZE* SIZE);

int move() {
  int best = -1, distance = 0;
  for (int cell = 0; cell < SIZE * SIZE; cell++) {
    int here = std::abs(cell / SIZE - SIZE / 2) + std::abs(cell % SIZE - SIZE / 2);
    if (!taken[cell] && (best < 0 || here < distance)) best = cell, distance = here;
  }
  if (best >= 0) taken[best] = true;
  return best;
}

int main() {
  std::string line;
  int mine = -1;
  while (std::getline(std::cin, line)) {
    if (line == "finish") {
      std::cout << "game over" << std::endl;
      return 0;
    }
    int col = line.empty() ? -1 : std::tolower((unsigned char)line[0]) - 'a', row = line.empty() ? -1 : std::atoi(line.c_str() + 1) - 1;
    if (line == "change" && mine >= 0) {
      // The opponent took over the opening stone: it lies mirrored on the long diagonal.
      taken.assign(SIZE * SIZE, false);
      taken[mine % SIZE * SIZE + mine / SIZE] = true;
    } else if (line != "first" && col >= 0 && col < SIZE && row >= 0 && row < SIZE) {
      taken[row * SIZE + col] = true;
    } else if (line != "first") {
      std::cout << "error: not a move: " << line << std::endl;
      continue;
    }
    mine = move();
    std::cout << char('a' + mine % SIZE) << mine / SIZE + 1 << std::endl;
  }
}
