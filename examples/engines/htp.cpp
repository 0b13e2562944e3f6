// A Hex engine that speaks HTP: the free cell nearest to the centre.
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

int rows = 11, cols = 11;
std::vector<bool> taken(11 * 11);
const std::vector<std::string> commands = {"name", "version",   "protocol_version", "list_commands", "known_command",
                                           "quit", "boardsize", "clear_board",      "play",          "genmove"};

bool known(const std::string& word) {
  for (auto& command : commands)
    if (command == word) return true;
  return false;
}

std::string genmove() {
  int best = -1, distance = 0;
  for (int cell = 0; cell < rows * cols; cell++) {
    int here = std::abs(2 * (cell / cols) + 1 - rows) + std::abs(2 * (cell % cols) + 1 - cols);
    if (!taken[cell] && (best < 0 || here < distance)) best = cell, distance = here;
  }
  if (best < 0) return "resign";
  taken[best] = true;
  return std::string(1, char('a' + best % cols)) + std::to_string(best / cols + 1);
}

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string number, command, a, b, answer;
    if (!(words >> command)) continue;
    if (std::isdigit((unsigned char)command[0])) {
      number = command;
      words >> command;
    }
    words >> a >> b;
    bool failed = false;
    if (command == "boardsize") {
      int width = std::atoi(a.c_str()), height = b.empty() ? width : std::atoi(b.c_str());
      failed = width < 1 || width > 19 || height < 1 || height > 19;
      if (!failed) cols = width, rows = height, taken.assign(rows * cols, false);
    } else if (command == "clear_board") {
      taken.assign(rows * cols, false);
    } else if (command == "play") {
      int col = b.empty() ? -1 : std::tolower((unsigned char)b[0]) - 'a', row = b.empty() ? -1 : std::atoi(b.c_str() + 1) - 1;
      failed = col < 0 || col >= cols || row < 0 || row >= rows || taken[row * cols + col];
      if (!failed) taken[row * cols + col] = true;
    } else if (command == "genmove") {
      answer = genmove();
    } else if (command == "known_command") {
      answer = known(a) ? "true" : "false";
    } else if (command == "list_commands") {
      for (auto& name : commands) answer += (answer.empty() ? "" : "\n") + name;
    } else if (command == "name") {
      answer = "first-htp-cpp";
    } else if (command == "version") {
      answer = "1";
    } else if (command == "protocol_version") {
      answer = "2";
    } else {
      failed = command != "quit";
    }
    std::cout << (failed ? "?" : "=") << number << ' ' << (failed ? "cannot do that: " + line : answer) << "\n" << std::endl;
    if (command == "quit") return 0;
  }
}
