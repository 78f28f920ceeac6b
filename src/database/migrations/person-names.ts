import { Migration } from '@mikro-orm/migrations';

/**
 * The members of an organization in the order of their user names, and their number, without a look at their users. A name
 * changes with its user, also by the hand of an operator.
 */
export class PersonNames extends Migration {
  override name = 'PersonNames';

  override up(): void {
    this.addSql(`
      alter table "membership" add "person_name" text null;
      update "membership" m set person_name = u.username from "app_user" u where u.id = m.user_id and u.kind = 'PERSON';
      create index "membership_person_index" on "membership" ("organization_id", "person_name", "user_id") where person_name is not null;

      create function name_member() returns trigger language plpgsql as $$
      begin
        new.person_name := (select u.username from app_user u where u.id = new.user_id and u.kind = 'PERSON');
        return new;
      end $$;
      create trigger membership_person before insert or update of user_id, person_name
        on "membership" for each row execute function name_member();

      create function rename_members() returns trigger language plpgsql as $$
      begin
        update membership set person_name = new.username where user_id = new.id;
        return null;
      end $$;
      create trigger app_user_members after update of username on "app_user"
        for each row when (old.username <> new.username) execute function rename_members();
    `);
  }
}
