import { Migration } from '@mikro-orm/migrations';

/** Facts from now on bring the regimes and stages that are applied since version 3; incidents keep those that they have. */
const FACTS = `
  alter table "organization" add "nis2_reporting_from" date null;

  create or replace function regime_facts(o "organization") returns jsonb language sql stable as $$
    select jsonb_build_object('version', 3, 'values', jsonb_build_object(
      'time_zone', jsonb_build_array(o.time_zone),
      'country', to_jsonb(array_remove(array[o.country], null)),
      'entity_type', to_jsonb(array_remove(array[(
        select framework -> 'fields' ->> 'entity_type' from jsonb_array_elements(o.compliance_frameworks) framework
         where framework ->> 'value' = 'NIS2' limit 1)], null)),
      'sector', to_jsonb(o.sectors),
      'nis2_sector', to_jsonb(array_remove(array[o.nis2_sector], '')),
      'nis2_reporting_from', to_jsonb(array_remove(array[o.nis2_reporting_from::text], null)),
      'trust_service_provider', jsonb_build_array(o.trust_service_provider::text)))
  $$;

  drop trigger organization_facts_updated on "organization";
  create trigger organization_facts_updated
    after update of time_zone, country, compliance_frameworks, sectors, nis2_sector, nis2_reporting_from, trust_service_provider
    on "organization" for each row execute function keep_organization_facts();

  insert into organization_facts (organization_id, since, facts)
  select o.id, now(), regime_facts(o) from organization o
      on conflict (organization_id, since) do update set facts = excluded.facts;
`;

/** The day from which on an entity has to report where its law gives it one of its own. */
export class RegimeBeginnings extends Migration {
  override name = 'RegimeBeginnings';

  override up(): void {
    this.addSql(FACTS);
  }
}
