import type { Freshness } from '../../auth/access-cache.js';
import type { AnnouncementListener } from '../../database/announcement-feed.js';
import type { Queryable } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import type { Logger } from '../../logger.js';

/** A document that applications run by its id; the same object as long as it is registered. */
interface RegisteredDocument {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly text: string;
}

const v = table('application_version', 'v');
const d = table('trusted_document', 'd');

/** Changes with each publication and withdrawal: ids of versions increase, and a withdrawn version does not return. */
const stateOf = statement()(
  () => sql<{ versions: number; newest: number }>`
    select count(*) as versions, coalesce(max(${v.id}), 0) as newest from ${v.table} where ${v.withdrawn_at} is null`,
);

/** Known texts are not read again. */
const load = statement<{ known: readonly string[] }>()(
  (p) => sql<{ sha256: string; text: string | null }>`
    select ${d.sha256}, case when ${d.sha256} = any(${p('known')}::text[]) then null else ${d.text} end as text
      from ${d.table}`,
);

/**
 * All registered documents, cached by each instance: publication limits bound their number. They are read again after the
 * database announces a change, and used only while announcements cannot be late, as for access (docs/adr/0004).
 */
export class RegisteredDocuments implements AnnouncementListener {
  private bySha256 = new Map<string, RegisteredDocument>();
  private byText = new Map<string, RegisteredDocument>();
  /** Revision of the cached documents. */
  private state = '0 0';
  private isCurrent = false;
  /** Incremented by each announcement: rows read before one are not current after it. */
  private generation = 0;
  private reading: { generation: number; done: Promise<void> } | undefined;

  constructor(
    private readonly database: Queryable,
    private readonly freshness: Freshness,
    private readonly log: Logger,
  ) {}

  /** Whether no application has registered a document, by the cache. */
  get isEmpty(): boolean {
    return this.bySha256.size === 0;
  }

  async find(sha256: string): Promise<RegisteredDocument | undefined> {
    await this.refresh();
    return this.bySha256.get(sha256);
  }

  /** By its text, from the cache. */
  withText(text: string): RegisteredDocument | undefined {
    return this.byText.get(text);
  }

  /** Reads changes if there may be some. Concurrent requests share the statement; statements are sequential. */
  async refresh(): Promise<void> {
    if (this.isCurrent && this.freshness.isFresh()) return;
    const { generation, reading: before } = this;
    if (before?.generation === generation) return before.done;
    const done = this.read(before?.done);
    const reading = { generation, done };
    this.reading = reading;
    const end = () => {
      if (this.reading === reading) this.reading = undefined;
    };
    done.then(end, end);
    await done;
  }

  announced(): void {
    this.missed();
  }

  missed(): void {
    this.generation += 1;
    this.isCurrent = false;
  }

  private async read(before: Promise<void> | undefined): Promise<void> {
    await before?.catch(() => undefined);
    const { generation } = this;
    const { versions, newest } = await stateOf.one(this.database);
    const state = `${versions} ${newest}`;
    if (state !== this.state) {
      const rows = await load.all(this.database, { known: [...this.bySha256.keys()] });
      const documents = rows.map(({ sha256, text }) =>
        text === null ? this.bySha256.get(sha256)! : Object.freeze({ sha256, text }),
      );
      this.bySha256 = new Map(documents.map((each) => [each.sha256, each]));
      this.byText = new Map(documents.map((each) => [each.text, each]));
      this.state = state;
      this.log.info({ documents: documents.length, versions }, 'the registered documents have changed');
    }
    if (generation === this.generation) this.isCurrent = true;
  }
}
