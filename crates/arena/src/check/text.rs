//! What the checks say, in English and Chinese: names of checks, causes, and advice that follows the cause.

use crate::protocol::Protocol;
use serde::Serialize;
use std::str::FromStr;

/// The language of names and advice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Simplified Chinese.
    Chinese,
}

impl FromStr for Language {
    type Err = String;
    fn from_str(text: &str) -> Result<Language, String> {
        match text {
            "en" => Ok(Language::English),
            "zh" => Ok(Language::Chinese),
            _ => Err(format!("unknown language '{text}'; accepted: en, zh")),
        }
    }
}

impl Language {
    /// The text in this language.
    pub fn pick<T>(self, english: T, chinese: T) -> T {
        match self {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }
}

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// The handshake.
    Start,
    /// The first move.
    Opening,
    /// Coordinates on a nearly full board.
    Coordinates,
    /// Whole games.
    Games,
    /// The opponent's swap.
    Change,
    /// Time per move.
    MoveTime,
    /// Time per game.
    GameTime,
    /// A position from the middle of a game.
    Position,
    /// Several games in one process.
    Again,
    /// Unknown commands.
    Unknown,
    /// Peak memory over a game.
    Memory,
    /// The quit command.
    Exit,
}

impl Check {
    /// A line for people.
    pub fn name(self, language: Language) -> &'static str {
        let (english, chinese) = match self {
            Check::Start => ("starts and answers the handshake", "能启动并应答握手"),
            Check::Opening => ("opens with a legal move", "开局走出合法的一手"),
            Check::Coordinates => ("reads and writes coordinates correctly", "坐标读写正确"),
            Check::Games => ("plays whole games with legal moves only", "完整对局中只走合法棋步"),
            Check::Change => ("knows 'change' (the opponent swaps)", "能处理 change（对方换子）"),
            Check::MoveTime => ("keeps the time per move", "遵守每步时限"),
            Check::GameTime => ("keeps the time per game", "遵守每局时限"),
            Check::Position => ("takes a position from the middle of a game", "能从中盘局面继续"),
            Check::Again => ("plays another game without a restart", "不重启即可再下一局"),
            Check::Unknown => {
                ("survives commands that are unknown or malformed", "收到未知或不完整的命令不会崩溃")
            }
            Check::Memory => ("stays within its memory over a game", "整局内存不超限"),
            Check::Exit => ("exits on request", "收到结束命令后退出"),
        };
        language.pick(english, chinese)
    }
}

/// Why a check failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// There is no such file.
    NotFound,
    /// The file may not be executed.
    NotExecutable,
    /// The first line ends with a carriage return, so the interpreter is not found.
    CrlfShebang,
    /// The process ended.
    Crash,
    /// The answer came only when the program's input was closed.
    NotFlushed,
    /// No answer at all.
    Silent,
    /// Other lines before the answer.
    Noise,
    /// The answer is not a move.
    NotAMove,
    /// Row and column are exchanged.
    Swapped,
    /// Coordinates count from 1.
    FromOne,
    /// Rows count from the wrong edge.
    Flipped,
    /// It plays on occupied points.
    LostBoard,
    /// A move against the rules.
    IllegalMove,
    /// Too late.
    TooSlow,
    /// `change` is not understood.
    ChangeUnknown,
    /// Too much memory.
    TooMuchMemory,
    /// Still running after the quit command.
    StillRunning,
    /// It refused a command.
    Refused,
}

impl Cause {
    /// What to do about it.
    pub fn advice(self, language: Language, protocol: Protocol) -> &'static str {
        let (english, chinese) = match self {
            Cause::NotFound => ("check the path of the program", "请检查程序路径"),
            Cause::NotExecutable => (
                "make the file executable: chmod +x FILE, or name its interpreter: \"python3 FILE\"",
                "请加上执行权限：chmod +x 文件，或写明解释器：\"python3 文件\"",
            ),
            Cause::CrlfShebang => (
                "save the file with Unix line ends (LF): the #! line ends with a carriage return, so its interpreter is not found",
                "请用 Unix 换行（LF）保存：#! 行末尾多了回车符，系统找不到解释器",
            ),
            Cause::Crash => (
                "see the end of its error output; run it by hand with the lines shown",
                "请看错误输出的最后几行；可手动运行程序并输入上面的命令重现",
            ),
            Cause::NotFlushed => (
                "flush standard output after every line (Python: print(..., flush=True); C: fflush(stdout); C++: std::endl)",
                "每输出一行都要刷新缓冲区（Python：print(..., flush=True)；C：fflush(stdout)；C++：std::endl）",
            ),
            Cause::Silent => match protocol {
                Protocol::Gomocup => (
                    "answer START with OK, and BEGIN, TURN and BOARD … DONE with a move x,y",
                    "START 要回答 OK，BEGIN、TURN 和 BOARD … DONE 要回答一手 x,y",
                ),
                Protocol::Htp => {
                    ("answer every command with '= ' and an empty line", "每条命令都要回答“= ”并跟一个空行")
                }
                Protocol::Line => (
                    "read a line and answer it with a move such as f6 on a line of its own",
                    "每读一行就单独输出一行着法，例如 f6",
                ),
                Protocol::Botzone => (
                    "read one line of JSON and print one line {\"response\":{\"x\":ROW,\"y\":COLUMN}}",
                    "读入一行 JSON，输出一行 {\"response\":{\"x\":行,\"y\":列}}",
                ),
            },
            Cause::Noise => (
                "print only answers to standard output; debug output belongs to standard error (or after MESSAGE in Gomocup)",
                "标准输出只能有应答；调试信息请写到标准错误（Gomocup 协议可用 MESSAGE 开头）",
            ),
            Cause::NotAMove => match protocol {
                Protocol::Gomocup => (
                    "a move is x,y: column and row from the top left, both from 0",
                    "着法格式为 x,y：先列后行，从左上角起，都从 0 开始",
                ),
                Protocol::Botzone => (
                    "answer {\"response\":{\"x\":ROW,\"y\":COLUMN}} on one line: row and column from 0 at the top left",
                    "输出一行 {\"response\":{\"x\":行,\"y\":列}}：行列都从左上角的 0 开始",
                ),
                _ => {
                    ("a move is a column letter and a row number, such as f6", "着法是列字母加行号，例如 f6")
                }
            },
            Cause::Swapped => match protocol {
                Protocol::Gomocup => {
                    ("the column comes first: print x,y, not y,x", "先列后行：请输出 x,y，而不是 y,x")
                }
                _ => ("the letter is the column, the number the row", "字母是列，数字是行"),
            },
            Cause::FromOne => match protocol {
                Protocol::Gomocup => (
                    "count columns and rows from 0: the top left point is 0,0",
                    "行列都从 0 开始：左上角是 0,0",
                ),
                _ => ("rows count from 1: the top left point is a1", "行号从 1 开始：左上角是 a1"),
            },
            Cause::Flipped => ("row 0 (or 1) is the top row", "第一行是最上面一行"),
            Cause::LostBoard => match protocol {
                Protocol::Gomocup => (
                    "BOARD … DONE replaces the whole board; 1 is your stone, 2 the opponent's",
                    "BOARD … DONE 会替换整个棋盘；1 是己方棋子，2 是对方棋子",
                ),
                _ => (
                    "keep both sides' moves on your board, in any number and order",
                    "双方的每一手都要记到自己的棋盘上，数量和次序不限",
                ),
            },
            Cause::IllegalMove => (
                "keep your own board in step with every move of both sides; the detail names the move",
                "自己的棋盘要与双方每一手保持一致；出错的着法见上",
            ),
            Cause::TooSlow => (
                "stop a little before the limit (50 ms is usual), read the clock inside the search, and flush at once",
                "请提前一点停止（通常 50 毫秒），在搜索中查看时间，算完立即输出",
            ),
            Cause::ChangeUnknown => (
                "on 'change' the opponent takes your opening stone: mirror it on the long diagonal, give it to the opponent, and answer with a move",
                "收到 change 表示对方换子：把你的第一子沿长对角线对称后归对方，然后回答一手",
            ),
            Cause::TooMuchMemory => (
                "size your tables by the limit (INFO max_memory in Gomocup, in bytes) and free what a finished search leaves",
                "请按限额分配哈希表（Gomocup 的 INFO max_memory，单位字节），搜索结束后释放内存",
            ),
            Cause::StillRunning => (
                "exit on END (Gomocup), quit (HTP) or finish (line protocol), and when standard input closes",
                "收到 END（Gomocup）、quit（HTP）或 finish（逐行协议）以及标准输入关闭时都要退出",
            ),
            Cause::Refused => (
                "answer unknown commands with UNKNOWN (Gomocup) or '? unknown command' (HTP), and accept those of the protocol",
                "未知命令回答 UNKNOWN（Gomocup）或“? unknown command”（HTP），协议规定的命令要能接受",
            ),
        };
        language.pick(english, chinese)
    }
}
