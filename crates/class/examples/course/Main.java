import java.io.BufferedReader;
import java.io.InputStreamReader;

/** Extends its own rows and blocks the opponent's. Speaks the Gomocup protocol. */
public class Main {
    static final int WEIGHT = 2;
    static final int[][] WAYS = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    static int size = 15;
    static int[][] stone = new int[32][32];

    static int run(int x, int y, int dx, int dy, int who) {
        int length = 0;
        for (x += dx, y += dy; x >= 0 && y >= 0 && x < size && y < size && stone[y][x] == who; x += dx, y += dy) {
            length++;
        }
        return length;
    }

    static int worth(int x, int y, int who) {
        int sum = 0;
        for (int[] way : WAYS) {
            int length = run(x, y, way[0], way[1], who) + run(x, y, -way[0], -way[1], who);
            sum += length * length * length * (length >= 4 ? 100 : 1);
        }
        return sum;
    }

    static void choose() {
        int bestX = size / 2, bestY = size / 2, best = -1;
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                if (stone[y][x] != 0) continue;
                int score = WEIGHT * worth(x, y, 1) + worth(x, y, 2);
                if (score > best) {
                    best = score;
                    bestX = x;
                    bestY = y;
                }
            }
        }
        stone[bestY][bestX] = 1;
        System.out.println(bestX + "," + bestY);
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        boolean board = false;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.trim().split("[ ,]+");
            if (board && !words[0].equals("DONE")) {
                stone[Integer.parseInt(words[1])][Integer.parseInt(words[0])] = Integer.parseInt(words[2]);
                continue;
            }
            switch (words[0]) {
                case "START":
                    size = Integer.parseInt(words[1]);
                    stone = new int[32][32];
                    System.out.println("OK");
                    break;
                case "RESTART":
                    stone = new int[32][32];
                    System.out.println("OK");
                    break;
                case "BEGIN":
                    choose();
                    break;
                case "TURN":
                    if (words.length == 3) {
                        stone[Integer.parseInt(words[2])][Integer.parseInt(words[1])] = 2;
                        choose();
                    }
                    break;
                case "BOARD":
                    stone = new int[32][32];
                    board = true;
                    break;
                case "DONE":
                    board = false;
                    choose();
                    break;
                case "ABOUT":
                    System.out.println("name=\"Row extender\", version=\"1.0\", author=\"Tengen\"");
                    break;
                case "END":
                    return;
                case "INFO":
                case "":
                    break;
                default:
                    System.out.println("UNKNOWN command");
            }
        }
    }
}
