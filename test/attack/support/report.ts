/** An attack: its description, its extent, and whether the gateway withstood it. */
interface Row {
  scenario: string;
  attack: string;
  tried: string;
  passed: boolean | undefined;
  figures: string;
}

/** Results of all scenarios, printed as tables. */
export class Report {
  private readonly rows: Row[] = [];
  private readonly tables: string[] = [];
  private scenario = '';

  begin(scenario: string): void {
    this.scenario = scenario;
  }

  /** `figures` are measurements; they are shown for every result. */
  record(attack: string, tried: string | number, passed: boolean, figures = ''): void {
    this.add({ scenario: this.scenario, attack, tried: String(tried), passed, figures });
  }

  /** An attack that this machine does not support: neither a failure nor a success. */
  skipped(attack: string, reason: string): void {
    this.add({ scenario: this.scenario, attack, tried: '0', passed: undefined, figures: reason });
  }

  /** A further table, printed before the results. */
  table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
    this.tables.push(`${title}\n${formatTable(head, rows)}`);
  }

  get failed(): boolean {
    return this.rows.some(({ passed }) => passed === false);
  }

  toString(): string {
    const rows = this.rows.map((row) => [row.scenario, row.attack, row.tried, verdict(row), row.figures]);
    const count = (passed: boolean | undefined) => this.rows.filter((row) => row.passed === passed).length;
    const sum = `${count(true)} held, ${count(false)} did not hold, ${count(undefined)} not tried`;
    const results = formatTable(['scenario', 'attack', 'tried', 'held', 'figures'], rows);
    return [...this.tables, `Attacks\n${results}`, sum].join('\n\n');
  }

  private add(row: Row): void {
    this.rows.push(row);
    process.stderr.write(`${row.scenario}: ${row.attack} (${row.tried}): ${verdict(row)} ${row.figures}\n`);
  }
}

function verdict({ passed }: Row): string {
  return passed === undefined ? 'not tried' : passed ? 'yes' : 'NO';
}

/** Columns as wide as their widest cell, except the last one, which is free text. */
function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '-'.repeat(Math.min(width, 40)))), ...rows.map(line)].join('\n');
}
