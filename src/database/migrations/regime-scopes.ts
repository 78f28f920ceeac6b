import { Migration } from '@mikro-orm/migrations';

/** Facts from now on are judged with the scopes of regimes; incidents keep those that they have. */
const FACTS = `
  create or replace function regime_facts(o "organization") returns jsonb language sql stable as $$
    select jsonb_build_object('version', 2, 'values', jsonb_build_object(
      'time_zone', jsonb_build_array(o.time_zone),
      'country', to_jsonb(array_remove(array[o.country], null)),
      'entity_type', to_jsonb(array_remove(array[(
        select framework -> 'fields' ->> 'entity_type' from jsonb_array_elements(o.compliance_frameworks) framework
         where framework ->> 'value' = 'NIS2' limit 1)], null)),
      'sector', to_jsonb(o.sectors),
      'nis2_sector', to_jsonb(array_remove(array[o.nis2_sector], '')),
      'trust_service_provider', jsonb_build_array(o.trust_service_provider::text)))
  $$;

  insert into organization_facts (organization_id, since, facts)
  select o.id, now(), regime_facts(o) from organization o
      on conflict (organization_id, since) do update set facts = excluded.facts;
`;

const CLASSIFICATION = `
  alter table "incident" add "classified_at" timestamptz(3) null;
  create trigger incident_classification_version before update on "incident" for each row
    when (old.classified_at is distinct from new.classified_at) execute function raise_version();
`;

/** Which organizations a reporting regime is for, and when an incident was classified as major. */
export class RegimeScopes extends Migration {
  override name = 'RegimeScopes';

  override up(): void {
    this.addSql(FACTS);
    this.addSql(CLASSIFICATION);
  }
}
