import { Migration } from '@mikro-orm/migrations';

/** Facts from now on say whether the organization is a qualified provider of trust services; those of before do not. */
const FACTS = `
  alter table "organization" add "qualified_trust_service_provider" boolean not null default false;

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
      'trust_service_provider', jsonb_build_array(o.trust_service_provider::text),
      'qualified_trust_service_provider', jsonb_build_array(o.qualified_trust_service_provider::text)))
  $$;

  drop trigger organization_facts_updated on "organization";
  create trigger organization_facts_updated
    after update of time_zone, country, compliance_frameworks, sectors, nis2_sector, nis2_reporting_from,
      trust_service_provider, qualified_trust_service_provider
    on "organization" for each row execute function keep_organization_facts();
`;

/** Whether an organization is a qualified provider of trust services: of those, the occurrence of an incident counts. */
export class QualifiedProviders extends Migration {
  override name = 'QualifiedProviders';

  override up(): void {
    this.addSql(FACTS);
  }
}
