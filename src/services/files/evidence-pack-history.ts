import { csv } from '../../common/csv.js';
import type { Queryable } from '../../database/database.js';
import { entryRecords } from '../audit/entry-records.js';
import type { EntryText } from '../audit/trails.js';

const COLUMNS = 'at control_id label status_before status justification changed_by changed_by_id position'.split(' ');

/** A row for each change of the status of a control of a workflow, made of the entries of the audit trail. */
export async function* statusHistory(
  database: Queryable,
  batches: AsyncIterable<EntryText[]>,
  workflowId: string,
  { names }: { names: boolean },
): AsyncGenerator<string> {
  yield csv([COLUMNS]);
  for await (const entries of batches) {
    const records = await entryRecords(
      database,
      entries.map(({ entry }) => entry),
    );
    const rows = records.flatMap(({ action, actor, at, changes, subject }, index) => {
      const [status, justification] = ['status', 'justification'].map((name) =>
        changes.find(({ field }) => field === name),
      );
      const isOfWorkflow = subject.parent?.databaseId === workflowId;
      if (action !== 'CONTROL_UPDATED' || !isOfWorkflow || status === undefined) return [];
      const texts = [status.before, status.after, justification?.after ?? null] as (string | null)[];
      const actorName = names ? (actor.user?.username ?? actor.job) : null;
      const controlId = subject.databaseId.slice(workflowId.length + 1);
      return [[at, controlId, subject.name, ...texts, actorName, actor.userId, entries[index]?.position ?? null]];
    });
    yield csv(rows);
  }
}
