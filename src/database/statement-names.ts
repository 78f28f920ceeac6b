/**
 * Names for statements worth preparing. PostgreSQL keeps a named statement as long as the connection, so a text is
 * named when it is seen a second time, up to a limit; the rest run unnamed, which is merely slower.
 */
export class StatementNames {
  private readonly seenOnce = new Set<string>();
  private readonly names = new Map<string, string>();

  constructor(private readonly limit = 400) {}

  /** The name to prepare the text by; undefined to run it unnamed. */
  nameOf(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined) return known;
    if (this.names.size >= this.limit) return undefined;
    if (!this.seenOnce.delete(text)) {
      this.remember(text);
      return undefined;
    }
    const name = `s${this.names.size}`;
    this.names.set(text, name);
    return name;
  }

  private remember(text: string): void {
    if (this.seenOnce.size >= this.limit) this.seenOnce.clear();
    this.seenOnce.add(text);
  }
}
