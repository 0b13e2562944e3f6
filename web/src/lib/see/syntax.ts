// Where a JavaScript program cannot be read: browsers do not say at which line of a text they made a function of it failed.
import { javascriptLanguage } from '@codemirror/lang-javascript';

/** The line of the first syntax error, or 0 where the editor's parser sees none. */
export function syntaxLine(code: string): number {
  let at = -1;
  // What is missing at the end is missed at the last line that has something.
  javascriptLanguage.parser.parse(code.trimEnd()).iterate({
    enter(node) {
      if (at < 0 && node.type.isError) at = node.from;
      return at < 0;
    },
  });
  return at < 0 ? 0 : code.slice(0, at).split('\n').length;
}
