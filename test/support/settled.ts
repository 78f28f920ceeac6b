import type { Database } from '../../src/database/database.js';
import { until } from './until.js';

const BEHIND = `select exists (
  select from audit_log l left join event_consumer c on c.consumer = $1 and c.log_id = l.id
   where l.organization_id is not null and l.position > coalesce(c.position, 0)) as behind`;

/**
 * Resolves when every entry of the audit trails of organizations was consumed: notifications, mails and events exist
 * then.
 */
export async function settled(
  database: Pick<Database, 'rows'>,
  consumer: 'events' | 'notifications' | 'mails' = 'notifications',
): Promise<void> {
  await until(async () => {
    const [row] = await database.rows<{ behind: boolean }>(BEHIND, [consumer]);
    return !row!.behind;
  });
}
