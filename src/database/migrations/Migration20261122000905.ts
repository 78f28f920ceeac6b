import { Migration } from '@mikro-orm/migrations';

/**
 * What quotas are compared with. Triggers keep the bytes of each organization, whoever writes or deletes a row, so that
 * no upload has to add them up; the size of a logo is known from the next one on. The function for organizations is
 * volatile: each of its statements sees what was committed while it waited for the user.
 */
export class Migration20261122000905 extends Migration {
  override name = 'Migration20261122000905';

  override up(): void {
    this.addSql(
      `create table "organization_storage" ("organization_id" int not null, "bytes" bigint not null, primary key ("organization_id"));`,
    );
    this.addSql(`alter table "organization" add "logo_bytes" int not null default 0;`);
    this.addSql(
      `create index "invitation_invited_by_id_expires_at_index" on "invitation" ("invited_by_id", "expires_at");`,
    );
    this.addSql(
      `alter table "organization_storage" add constraint "organization_storage_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on update no action on delete cascade;`,
    );
    this.addSql(`
      insert into organization_storage (organization_id, bytes)
      select organization_id, sum(size) from (
        select organization_id, size from document_version
        union all
        select i.organization_id, a.size from incident_attachment a join incident i on i.id = a.incident_id
      ) stored group by organization_id;
    `);
    this.addSql(`
      create function count_stored_bytes(counted int, change bigint) returns void language plpgsql as $$
      begin
        if change > 0 then
          insert into organization_storage as s (organization_id, bytes) values (counted, change)
            on conflict (organization_id) do update set bytes = s.bytes + excluded.bytes;
        elsif change < 0 then
          update organization_storage set bytes = bytes + change where organization_id = counted;
        end if;
      end $$;
    `);
    this.addSql(`
      create function count_stored_file() returns trigger language plpgsql as $$
      declare
        changed record := case when tg_op = 'DELETE' then old else new end;
        counted int;
      begin
        if tg_table_name = 'document_version' then
          counted := changed.organization_id;
        else
          select i.organization_id into counted from incident i where i.id = changed.incident_id;
        end if;
        perform count_stored_bytes(counted, case when tg_op = 'DELETE' then -changed.size else changed.size end);
        return null;
      end $$;
    `);
    for (const table of ['document_version', 'incident_attachment']) {
      this.addSql(`
        create trigger ${table}_stored_bytes after insert or delete on "${table}"
          for each row execute function count_stored_file();
      `);
    }
    this.addSql(`
      create function count_stored_logo() returns trigger language plpgsql as $$
      begin
        perform count_stored_bytes(new.id, new.logo_bytes - case when tg_op = 'INSERT' then 0 else old.logo_bytes end);
        return null;
      end $$;
    `);
    this.addSql(`
      create trigger organization_logo_inserted after insert on "organization"
        for each row when (new.logo_bytes > 0) execute function count_stored_logo();
    `);
    this.addSql(`
      create trigger organization_logo_updated after update of logo_bytes on "organization"
        for each row when (new.logo_bytes <> old.logo_bytes) execute function count_stored_logo();
    `);
    this.addSql(`
      create function owned_organizations(owner uuid) returns int language plpgsql volatile as $$
      begin
        perform 1 from app_user u where u.id = owner for no key update;
        return (select count(*) from membership m where m.user_id = owner and m.role = 'ORGANIZATION_OWNER');
      end $$;
    `);
  }

  override down(): void {
    this.addSql(`drop function owned_organizations(uuid);`);
    this.addSql(`drop trigger organization_logo_updated on "organization";`);
    this.addSql(`drop trigger organization_logo_inserted on "organization";`);
    for (const table of ['incident_attachment', 'document_version'])
      this.addSql(`drop trigger ${table}_stored_bytes on "${table}";`);
    this.addSql(`drop function count_stored_logo();`);
    this.addSql(`drop function count_stored_file();`);
    this.addSql(`drop function count_stored_bytes(int, bigint);`);
    this.addSql(`drop table if exists "organization_storage" cascade;`);
    this.addSql(`drop index "invitation_invited_by_id_expires_at_index";`);
    this.addSql(`alter table "organization" drop column "logo_bytes";`);
  }
}
