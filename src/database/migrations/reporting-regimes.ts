import { Migration } from '@mikro-orm/migrations';

/** Reports of incidents by regime; those that were recorded before are of NIS 2. */
export class ReportingRegimes extends Migration {
  override name = 'ReportingRegimes';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

/** Each row belongs to the organization of its incident. */
function ofOrganization(table: string): string[] {
  return [
    `alter table "${table}" add "organization_id" int null;`,
    `update "${table}" t set organization_id = i.organization_id from incident i where i.id = t.incident_id;`,
    `alter table "${table}" alter column "organization_id" set not null;`,
    `alter table "${table}" add constraint "${table}_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete restrict;`,
  ];
}

const SENT = ['early_warning', 'notification', 'final_report'];

const STATEMENTS: readonly string[] = [
  `alter table "organization" add "country" text null, add "trust_service_provider" boolean not null default false;`,

  ...ofOrganization('incident_attachment'),
  `create index "incident_attachment_organization_id_incident_id_id_index" on "incident_attachment" ("organization_id", "incident_id", "id");`,

  ...ofOrganization('incident_report'),
  `alter table "incident_report" add "regime_id" text not null default 'nis2', add "number" int not null default 1, add "sent_by" text null, add "recipient" text not null default '', add "reference" text not null default '', add "attachment_id" int null, add "due_at" timestamptz(3) null;`,
  ...SENT.flatMap((stage) => [
    `update incident_report r set sent_by = i.${stage}_sent_by from incident i where i.id = r.incident_id and r.stage = upper('${stage}');`,
    `insert into incident_report (organization_id, incident_id, stage, sent_at, sent_by, recorded_by, recorded_at)
     select organization_id, id, upper('${stage}'), ${stage}_sent_at, coalesce(${stage}_sent_by, ''), coalesce(${stage}_sent_by, ''), ${stage}_sent_at
       from incident i where ${stage}_sent_at is not null
        and not exists (select from incident_report r where r.incident_id = i.id and r.stage = upper('${stage}'));`,
  ]),
  `update incident_report set sent_by = recorded_by where sent_by is null;`,
  `alter table "incident_report" alter column "sent_by" set not null, alter column "regime_id" drop default;`,
  `alter table "incident_report" add constraint "incident_report_attachment_id_foreign" foreign key ("attachment_id") references "incident_attachment" ("id") on delete set null;`,
  `create index "incident_report_attachment_id_index" on "incident_report" ("attachment_id");`,
  `create index "incident_report_organization_id_incident_id_id_index" on "incident_report" ("organization_id", "incident_id", "id");`,

  ...ofOrganization('incident_reminder'),
  `alter table "incident_reminder" drop constraint "incident_reminder_incident_id_stage_kind_due_at_unique";`,
  `alter table "incident_reminder" add "regime_id" text not null default 'nis2', add "number" int not null default 1, alter column "id" type bigint;`,
  `alter sequence "incident_reminder_id_seq" as bigint;`,
  `alter table "incident_reminder" alter column "regime_id" drop default;`,
  `alter table "incident_reminder" add constraint "incident_reminder_once" unique ("incident_id", "regime_id", "stage", "number", "kind", "due_at");`,
  `create index "incident_reminder_organization_id_id_index" on "incident_reminder" ("organization_id", "id");`,

  `alter table "incident" add "handled_at" timestamptz(3) null, add "suspected_malicious" boolean null, add "cross_border" boolean null, add "affects_trust_service" boolean null, add "personal_data_concerned" boolean null, add "exploited_vulnerability" boolean null, add "product_concerned" boolean null, add "fix_available_at" timestamptz(3) null, add "intermediate_report_due_at" timestamptz(3) null, add "category" text not null default '', add "indicators" text not null default '', add "impact" text not null default '', add "root_cause" text not null default '', add "mitigation" text not null default '', add "next_reminder_at" timestamptz(3) null;`,
  // The job looks at them once, and then knows when to look again.
  `update incident set next_reminder_at = aware_at where significant and status <> 'CLOSED';`,
  `drop index "incident_owing_index";`,
  `alter table "incident" ${SENT.map((stage) => `drop column "${stage}_sent_at", drop column "${stage}_sent_by"`).join(', ')};`,
  `create index "incident_reminder_index" on "incident" (next_reminder_at) where next_reminder_at is not null;`,

  // Another profile may mean other deadlines.
  `
    create function review_reminders() returns trigger language plpgsql as $$
    begin
      update incident set next_reminder_at = aware_at where organization_id = new.id and status <> 'CLOSED';
      return null;
    end $$;
  `,
  `
    create trigger organization_reminders after update on "organization" for each row
      when ((old.time_zone, old.country, old.trust_service_provider, old.sectors, old.nis2_sector, old.compliance_frameworks)
            is distinct from
            (new.time_zone, new.country, new.trust_service_provider, new.sectors, new.nis2_sector, new.compliance_frameworks))
      execute function review_reminders();
  `,
];
