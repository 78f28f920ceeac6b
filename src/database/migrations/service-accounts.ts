import { Migration } from '@mikro-orm/migrations';

/** Users that are programs: each belongs to one organization. */
export class ServiceAccounts extends Migration {
  override name = 'ServiceAccounts';

  override up(): void {
    this.addSql(`
      alter table "app_user" add "kind" text not null default 'PERSON';
      alter table "app_user" add constraint "app_user_kind_check" check (case kind when 'PERSON' then true when 'SERVICE_ACCOUNT' then email = id::text else false end);

      create table "service_account" ("user_id" uuid not null, "organization_id" int not null, "description" text not null default '', "responsible_id" uuid null, "created_by_id" uuid null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "deleted_at" timestamptz(3) null, primary key ("user_id"));
      create index "service_account_organization_id_user_id_index" on "service_account" ("organization_id", "user_id");
      create index "service_account_responsible_id_index" on "service_account" ("responsible_id");
      alter table "service_account" add constraint "service_account_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on update cascade on delete cascade;
      alter table "service_account" add constraint "service_account_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
      alter table "service_account" add constraint "service_account_responsible_id_foreign" foreign key ("responsible_id") references "app_user" ("id") on delete set null;
      alter table "service_account" add constraint "service_account_created_by_id_foreign" foreign key ("created_by_id") references "app_user" ("id") on delete set null;

      -- A service account is a member of its own organization and of no other.
      create function refuse_foreign_service_account() returns trigger language plpgsql as $$
      begin
        if exists (select from app_user u where u.id = new.user_id and u.kind = 'SERVICE_ACCOUNT'
                      and not exists (select from service_account s
                                       where s.user_id = u.id and s.organization_id = new.organization_id)) then
          raise exception 'A service account belongs to one organization' using errcode = 'insufficient_privilege';
        end if;
        return null;
      end $$;
      create constraint trigger membership_of_service_account after insert or update of user_id, organization_id
        on "membership" deferrable initially deferred for each row execute function refuse_foreign_service_account();

      -- When its organization is deleted for good, its user and its tokens go as well.
      create function delete_service_user() returns trigger language plpgsql as $$
      begin
        delete from app_user where id = old.user_id and kind = 'SERVICE_ACCOUNT';
        return null;
      end $$;
      create trigger service_account_user after delete on "service_account"
        for each row execute function delete_service_user();
    `);
  }
}
