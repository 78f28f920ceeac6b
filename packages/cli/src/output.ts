const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

/** Results on standard output, notes on standard error. */
export class Output {
  constructor(private readonly form: 'JSON' | 'TEXT') {}

  /** One result: JSON for programs, otherwise text. */
  result(value: unknown, text: string): void {
    process.stdout.write(`${this.form === 'JSON' ? JSON.stringify(value) : printable(text)}\n`);
  }

  /** Results as a table: one JSON value on each line for programs. */
  table<Row>(rows: readonly Row[], columns: Readonly<Record<string, (row: Row) => string>>): void {
    if (this.form === 'JSON') return rows.forEach((row) => this.result(row, ''));
    const names = Object.keys(columns);
    const cells = rows.map((row) => Object.values(columns).map((cell) => printable(cell(row)).replaceAll(/\s+/g, ' ')));
    const widths = names.map((name, at) => Math.max(name.length, ...cells.map((line) => line[at]!.length)));
    const line = (texts: string[]) =>
      texts
        .map((text, at) => text.padEnd(widths[at]!))
        .join('  ')
        .trimEnd();
    process.stdout.write(`${paint('bold', line(names.map((name) => name.toUpperCase())))}\n`);
    for (const texts of cells) process.stdout.write(`${line(texts)}\n`);
  }

  /** Resolves when all results are flushed. */
  written(): Promise<void> {
    return new Promise((done, fail) => process.stdout.write('', (error) => (error ? fail(error) : done())));
  }

  /** Progress and warnings; never results. */
  note(text: string): void {
    process.stderr.write(`${paint('dim', printable(text), process.stderr)}\n`);
  }

  failure(text: string, exitCode: number): void {
    const json = () => JSON.stringify({ error: text, exit_code: exitCode });
    process.stderr.write(`${this.form === 'JSON' ? json() : paint('red', printable(text), process.stderr)}\n`);
  }
}

/** Colours only on a terminal, and none with NO_COLOR. */
export function paint(colour: keyof typeof CODES, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return stream.isTTY && !process.env['NO_COLOR'] ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
}

/** Control characters in texts of other users would move the cursor or reverse the reading direction. */
export function printable(text: string): string {
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ');
}

/** A time for people, in UTC: `2026-11-20 08:15Z`. */
export function minute(at: string | null): string {
  return at === null ? '' : `${at.slice(0, 10)} ${at.slice(11, 16)}Z`;
}
