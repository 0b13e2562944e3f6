/* Scores every free point by the rows it extends or blocks and plays the best. Speaks the Gomocup protocol. */
#include <stdio.h>
#include <string.h>

#define MAX 22
static int size = 15, stone[MAX][MAX]; /* 0 free, 1 own, 2 the opponent's; [y][x] */

static int run(int x, int y, int dx, int dy, int who) {
    int length = 0;
    for (x += dx, y += dy; x >= 0 && y >= 0 && x < size && y < size && stone[y][x] == who; x += dx, y += dy) {
        length++;
    }
    return length;
}

/* A row of n stones is worth 10 to the power of n. */
static long worth(int x, int y, int who) {
    static const int way[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    static const long value[6] = {1, 10, 100, 1000, 100000, 100000};
    long sum = 0;
    for (int i = 0; i < 4; i++) {
        int length = run(x, y, way[i][0], way[i][1], who) + run(x, y, -way[i][0], -way[i][1], who);
        sum += value[length > 5 ? 5 : length];
    }
    return sum;
}

static void choose(void) {
    int best_x = size / 2, best_y = size / 2;
    long best = -1;
    for (int y = 0; y < size; y++) {
        for (int x = 0; x < size; x++) {
            if (stone[y][x]) continue;
            int dx = 2 * x - size + 1, dy = 2 * y - size + 1;
            long score = 1000 * (2 * worth(x, y, 1) + worth(x, y, 2)) - dx * dx - dy * dy;
            if (best < 0 || score > best) {
                best = score;
                best_x = x;
                best_y = y;
            }
        }
    }
    stone[best_y][best_x] = 1;
    printf("%d,%d\n", best_x, best_y);
}

static void put(int x, int y, int who) {
    if (x >= 0 && y >= 0 && x < size && y < size) stone[y][x] = who;
}

int main(void) {
    char line[256];
    int board = 0, x, y, who;
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        if (board && strcmp(line, "DONE") != 0) {
            if (sscanf(line, "%d,%d,%d", &x, &y, &who) == 3) put(x, y, who);
        } else if (sscanf(line, "START %d", &x) == 1) {
            size = x < 5 ? 5 : x > MAX ? MAX : x;
            memset(stone, 0, sizeof stone);
            puts("OK");
        } else if (strcmp(line, "RESTART") == 0) {
            memset(stone, 0, sizeof stone);
            puts("OK");
        } else if (strcmp(line, "BEGIN") == 0) {
            choose();
        } else if (sscanf(line, "TURN %d,%d", &x, &y) == 2) {
            put(x, y, 2);
            choose();
        } else if (strcmp(line, "BOARD") == 0) {
            memset(stone, 0, sizeof stone);
            board = 1;
        } else if (strcmp(line, "DONE") == 0) {
            board = 0;
            choose();
        } else if (strcmp(line, "ABOUT") == 0) {
            puts("name=\"Line counter\", version=\"1.0\", author=\"Tengen\"");
        } else if (strcmp(line, "END") == 0) {
            break;
        } else if (line[0] && strncmp(line, "INFO", 4) != 0) {
            puts("UNKNOWN command");
        }
    }
    return 0;
}
