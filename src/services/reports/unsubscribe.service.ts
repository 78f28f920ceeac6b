import type { Database } from '../../database/database.js';
import { column, sql, statement, table } from '../../database/sql.js';
import { recordOrganization } from '../audit/subjects.js';
import type { MailPreferenceService } from '../notifications/mail-preferences.service.js';
import { languageOfMailbox } from '../shared/reading-language.js';
import type { UnsubscribeLinks, Unsubscription } from '../shared/unsubscribe-links.js';

const o = table('organization', 'o');

// Increments the version, so that a concurrent change of the organization does not set the flag again. Deleted
// organizations are included, because they can be restored.
const clear = statement<{ organizationId: number; email: string; now: Date }>()(
  (p) => sql<{ id: number; name: string }>`
    update ${o.table}
       set ${column('organization', 'version')} = ${o.version} + 1, ${column('organization', 'updated_at')} = ${p('now')},
           ${column('organization', 'contacts')} = (
             select jsonb_agg(case when lower(c.contact->>'email') = lower(${p('email')})
                                   then c.contact || '{"emailReport": false}' else c.contact end order by c.place)
               from jsonb_array_elements(${o.contacts}) with ordinality as c(contact, place))
     where ${o.id} = ${p('organizationId')}
       and exists (select 1 from jsonb_array_elements(${o.contacts}) as c(contact)
                    where lower(c.contact->>'email') = lower(${p('email')}) and (c.contact->>'emailReport')::boolean)
    returning ${o.id}, ${o.name}`,
);

const facts = statement<{ organizationId: number; email: string }>()(
  (p) => sql<{ name: string | null; language: string | null }>`
    select (select ${o.name} from ${o.table} where ${o.id} = ${p('organizationId')} and ${o.deleted_at} is null) as name,
           ${languageOfMailbox(sql`lower(${p('email')})`)} as language`,
);

/** Subject of a link to unsubscribe, as its page shows it. */
export interface UnsubscriptionView extends Pick<Unsubscription, 'email' | 'categories'> {
  /** Name of the organization; undefined when it was deleted. */
  organization: string | undefined;
  /** Tag of the reader's chosen language; null if unknown. */
  language: string | null;
}

/** Ends mails by the links in them, which permit nothing else. */
export class UnsubscribeService {
  constructor(
    private readonly database: Database,
    private readonly links: UnsubscribeLinks,
    private readonly preferences: MailPreferenceService,
    private readonly now: () => Date,
  ) {}

  /** Undefined for an address without a valid signature. */
  async find(query: URLSearchParams): Promise<UnsubscriptionView | undefined> {
    const selection = this.links.read(query);
    return selection && this.view(selection);
  }

  /** Clears `email_report` of the contact, or ends mails of the member; idempotent. */
  async apply(query: URLSearchParams): Promise<UnsubscriptionView | undefined> {
    const selection = this.links.read(query);
    if (selection === undefined) return undefined;
    const { categories } = selection;
    if (categories !== undefined) await this.preferences.stop(selection, categories);
    else await this.clear(selection);
    return this.view(selection);
  }

  private async clear({ organizationId, email }: Unsubscription): Promise<void> {
    const at = this.now();
    await this.database.transaction(async (tx) => {
      const organization = await clear.first(tx, { organizationId, email, now: at });
      if (organization === undefined) return;
      const changes = { contacts: { after: 'changed' } };
      const actor = { kind: 'system', name: 'unsubscribe' } as const;
      await recordOrganization(tx, actor, organization, { action: 'ORGANIZATION_UPDATED', at, changes });
    });
  }

  private async view({ organizationId, email, categories }: Unsubscription): Promise<UnsubscriptionView> {
    const { name, language } = await facts.one(this.database, { organizationId, email });
    return { email, categories, language, organization: name ?? undefined };
  }
}
