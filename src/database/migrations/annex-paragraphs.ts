import { Migration } from '@mikro-orm/migrations';

const COPIED =
  'status, justification, inclusion_reason, owner_id, due_date, note, review_interval_months, reminded_due_date, reminded_last_day, updated_at';

/** Points 7 and 9 of the Annex of Regulation (EU) 2024/2690 have parts: each begins with the state of its point. */
export class AnnexParagraphs extends Migration {
  override name = 'AnnexParagraphs';

  override up(): void {
    this.addSql(`insert into control_state (organization_id, workflow_id, control_id, ${COPIED})
                 select organization_id, workflow_id, control_id || '.' || part, ${COPIED}
                   from control_state cross join generate_series(1, 3) as part
                  where workflow_id = 'nis2-regulation-2024-2690' and control_id in ('7', '9')
                     on conflict (organization_id, workflow_id, control_id) do nothing`);
  }
}
