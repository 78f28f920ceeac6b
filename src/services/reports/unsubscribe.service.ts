import type { Queryable } from '../../database/database.js';
import { column, db, sql, statement, table } from '../../database/sql.js';
import type { MailPreferenceService } from '../notifications/mail-preferences.service.js';
import type { UnsubscribeLinks, Unsubscription } from '../shared/unsubscribe-links.js';

const o = table('organization', 'o');

// The version grows, so that a concurrent change of the organization does not set the flag again. Deleted organizations
// count, because they can be restored.
const clear = statement<{ organizationId: number; email: string; now: Date }>()(
  (p) => sql`
    update ${o.table}
       set ${column('organization', 'version')} = ${o.version} + 1, ${column('organization', 'updated_at')} = ${p('now')},
           ${column('organization', 'contacts')} = (
             select jsonb_agg(case when lower(c.contact->>'email') = lower(${p('email')})
                                   then c.contact || '{"emailReport": false}' else c.contact end order by c.place)
               from jsonb_array_elements(${o.contacts}) with ordinality as c(contact, place))
     where ${o.id} = ${p('organizationId')}
       and exists (select 1 from jsonb_array_elements(${o.contacts}) as c(contact)
                    where lower(c.contact->>'email') = lower(${p('email')}) and (c.contact->>'emailReport')::boolean)`,
);

const nameOf = statement<{ organizationId: number }>()((p) =>
  db.selectFrom('organization').select('name').where('id', '=', p('organizationId')).where('deleted_at', 'is', null),
);

/** Subject of a link to unsubscribe, as its page shows it. */
export interface UnsubscriptionView extends Pick<Unsubscription, 'email' | 'categories'> {
  /** Name of the organization; undefined when it was deleted. */
  organization: string | undefined;
}

/** Ends mails by the links in them, which permit nothing else. */
export class UnsubscribeService {
  constructor(
    private readonly database: Queryable,
    private readonly links: UnsubscribeLinks,
    private readonly preferences: MailPreferenceService,
    private readonly now: () => Date,
  ) {}

  /** Undefined for an address that was not made here. */
  async find(query: URLSearchParams): Promise<UnsubscriptionView | undefined> {
    const selection = this.links.read(query);
    return selection && this.view(selection);
  }

  /** Clears `email_report` of the contact, or ends mails of the member; repeating it has the same answer. */
  async apply(query: URLSearchParams): Promise<UnsubscriptionView | undefined> {
    const selection = this.links.read(query);
    if (selection === undefined) return undefined;
    const { organizationId, email, categories } = selection;
    if (categories !== undefined) await this.preferences.stop(selection, categories);
    else await clear.all(this.database, { organizationId, email, now: this.now() });
    return this.view(selection);
  }

  private async view({ organizationId, email, categories }: Unsubscription): Promise<UnsubscriptionView> {
    const found = await nameOf.first(this.database, { organizationId });
    return { email, categories, organization: found?.name };
  }
}
