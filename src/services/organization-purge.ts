import type { Database } from '../database/database.js';
import { untilFewer } from '../database/until-fewer.js';
import { logoContent } from './logos.js';
import { TAKE_TURN } from './notification-retention.js';
import { restorableSince } from './restorable.js';
import type { StoredContent } from './stored-content.js';

/** Rows of one statement: none of them runs for long, however much an organization has gathered. */
const BATCH = 500;

/** One step: at most so many rows of a table, of those that `from` finds of an organization. */
function step(table: string, from: string, returning = 'null') {
  return `delete from ${table} where id in (select x.id from ${from} limit ${BATCH}) returning ${returning} as sha256`;
}

const OF_ORGANIZATION = 'x where x.organization_id = $1';
const OF_EDGES = 'x join cloud_defender d on d.id = x.device_id where d.organization_id = $1';
const OF_BLOCKERS = 'x join threat_blocker d on d.id = x.device_id where d.organization_id = $1';

/**
 * What there may be much of, or what holds an organization back; everything else goes with its row. Files come before
 * what they belong to, and each tells which content it was.
 */
const STEPS = [
  step(
    'incident_attachment',
    'incident_attachment x join incident i on i.id = x.incident_id where i.organization_id = $1',
    'sha256',
  ),
  step('document_version', `document_version ${OF_ORGANIZATION}`, 'sha256'),
  step('incident', `incident ${OF_ORGANIZATION}`),
  step('cloud_defender_check', `cloud_defender_check ${OF_EDGES}`),
  step('threat_blocker_check', `threat_blocker_check ${OF_BLOCKERS}`),
  step('threat_blocker_traffic', `threat_blocker_traffic ${OF_BLOCKERS}`),
  step('notification', `notification ${OF_ORGANIZATION}`),
];

const PURGEABLE = `select id from organization where deleted_at < $1 order by deleted_at limit ${BATCH}`;

export interface PurgeSettings {
  content: StoredContent;
  now: () => Date;
}

/**
 * Holds what is purged, so that who would restore it waits and finds it purgeable or not. Before a turn is taken: who
 * restores takes its turn last.
 */
const HOLD = 'select 1 from organization where id = $1 and deleted_at < $2 for update';

/**
 * Lets organizations go for good that were deleted more than 30 days ago (decisions §5), with all that belongs to them.
 * It goes in small steps, each of which looks anew whether it was restored by an instance whose clock is behind: what a
 * crash leaves is taken up by the next run, and two runs at once share the work.
 */
export class OrganizationPurge {
  constructor(
    private readonly database: Database,
    private readonly settings: PurgeSettings,
  ) {}

  /** Says how many organizations there were. */
  async purgeDeleted(): Promise<number> {
    const before = restorableSince(this.settings.now());
    let purged = 0;
    for (;;) {
      const due = await this.database.rows<{ id: number }>(PURGEABLE, [before]);
      for (const { id } of due) purged += await this.purge(id, before);
      if (due.length < BATCH) return purged;
    }
  }

  private async purge(id: number, before: Date): Promise<number> {
    for (const text of STEPS) await untilFewer(BATCH, () => this.run(text, id, before));
    const gone = await this.database.transaction(async (tx) => {
      await tx.rows(HOLD, [id, before]);
      await tx.rows(TAKE_TURN);
      const text = 'delete from organization where id = $1 and deleted_at < $2 returning logo';
      return tx.rows<{ logo: string }>(text, [id, before]);
    });
    for (const { logo } of gone) await this.letGo(logoContent(logo));
    return gone.length;
  }

  private async run(text: string, id: number, before: Date): Promise<number> {
    const rows = await this.database.transaction(async (tx) => {
      if ((await tx.rows(HOLD, [id, before])).length === 0) return [];
      // For the notifications among them; it is held for as long as one batch takes.
      await tx.rows(TAKE_TURN);
      return tx.rows<{ sha256: string | null }>(text, [id]);
    });
    for (const { sha256 } of rows) await this.letGo(sha256 ?? undefined);
    return rows.length;
  }

  private async letGo(content: string | undefined): Promise<void> {
    if (content !== undefined) await this.settings.content.letGo(content);
  }
}
