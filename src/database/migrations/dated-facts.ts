import { Migration } from '@mikro-orm/migrations';

const TABLES = `
  create table "organization_facts" ("id" bigserial primary key, "organization_id" int not null, "since" timestamptz(3) not null, "facts" jsonb not null);
  alter table "organization_facts" add constraint "organization_facts_organization_id_since_unique" unique ("organization_id", "since");
  alter table "organization_facts" add constraint "organization_facts_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;

  alter table "incident" add "organization_facts" jsonb not null default '{"version": 1, "values": {}}', add "facts_as_of" timestamptz(3) not null default now();

  alter table "incident_report" add "judgement" jsonb null, add "manner" text not null default 'SENT';
  create index "incident_report_unjudged_index" on "incident_report" ("incident_id") where judgement is null;
`;

/** Dated facts of an organization that reporting regimes ask about: every writer of its row is a writer of them. */
const ORGANIZATIONS = `
  create function regime_facts(o "organization") returns jsonb language sql stable as $$
    select jsonb_build_object('version', 1, 'values', jsonb_build_object(
      'time_zone', jsonb_build_array(o.time_zone),
      'country', to_jsonb(array_remove(array[o.country], null)),
      'entity_type', to_jsonb(array_remove(array[(
        select framework -> 'fields' ->> 'entity_type' from jsonb_array_elements(o.compliance_frameworks) framework
         where framework ->> 'value' = 'NIS2' limit 1)], null)),
      'sector', to_jsonb(o.sectors),
      'nis2_sector', to_jsonb(array_remove(array[o.nis2_sector], '')),
      'trust_service_provider', jsonb_build_array(o.trust_service_provider::text)))
  $$;

  create function keep_organization_facts() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and regime_facts(new) = regime_facts(old) then
      return null;
    end if;
    insert into organization_facts (organization_id, since, facts)
    values (new.id, case when tg_op = 'INSERT' then new.created_at else new.updated_at end, regime_facts(new))
        on conflict (organization_id, since) do update set facts = excluded.facts;
    return null;
  end $$;
  create trigger organization_facts_inserted after insert on "organization"
    for each row execute function keep_organization_facts();
  create trigger organization_facts_updated
    after update of time_zone, country, compliance_frameworks, sectors, nis2_sector, trust_service_provider
    on "organization" for each row execute function keep_organization_facts();

  -- Of a time before there are any, the first ones.
  create function organization_facts_at(organization int, instant timestamptz) returns jsonb language sql stable as $$
    select f.facts from organization_facts f where f.organization_id = organization
     order by f.since <= instant desc, case when f.since <= instant then f.since end desc, f.since
     limit 1
  $$;
`;

/** Incidents of before keep the facts as they are at the upgrade. Their reports are judged by the gateway when it starts. */
const UPGRADE = `
  insert into organization_facts (organization_id, since, facts)
  select o.id, o.created_at, regime_facts(o) from organization o;

  update incident i set facts_as_of = i.aware_at, organization_facts = regime_facts(o)
    from organization o where o.id = i.organization_id;
`;

/** Facts are those of awareness, and follow it when it is corrected, unless the incident was judged anew. */
const INCIDENTS = `
  create function keep_incident_facts() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' or (new.aware_at <> old.aware_at and old.facts_as_of = old.aware_at) then
      new.facts_as_of := new.aware_at;
      new.organization_facts := organization_facts_at(new.organization_id, new.aware_at);
    end if;
    return new;
  end $$;
  create trigger incident_facts before insert or update of aware_at on "incident"
    for each row execute function keep_incident_facts();

  -- The catalogue of an organization also knows when its days begin.
  drop trigger organization_catalog on "organization";
  create trigger organization_catalog after update of compliance_frameworks, time_zone
    on "organization" for each row execute function announce_catalog_change();

  drop trigger organization_reminders on "organization";
  drop function review_reminders();
`;

/** The facts of organizations as they were at each time, those that incidents are judged by, and what reports were judged as. */
export class DatedFacts extends Migration {
  override name = 'DatedFacts';

  override up(): void {
    for (const statements of [TABLES, ORGANIZATIONS, UPGRADE, INCIDENTS]) this.addSql(statements);
  }
}
