#!/bin/sh
# Draws the pictures of the guide with our own commands, into guide/pictures. Run by `cargo xtask guide --update`.
set -eu
cd "$(dirname "$0")/pictures"
tengen render gomoku ../../examples/position.json --out puzzle.svg
tengen render gomoku h8i9h9h7h10h11g9f8g10i8g8g11g7g6 --numbers --out attack.svg
tengen render gomoku f8a1g8a3h9a5h10a7 --rule renju --out double-three.svg
tengen render hex a2f6e7d8c9d5 --numbers --out hex.svg
tengen render hex b3c4d2c2 --size 5 --numbers --out bridge.svg
tengen maze render ../../examples/maze.txt --algorithm astar --out maze.svg
