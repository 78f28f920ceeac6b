/**
 * Hand-written statements of peers: those that an expert would write for exactly these responses, and that the gateway
 * derives itself, with no more rows or columns and one statement per list. Only the gateway also checks authorization.
 */
export const USERS = `
  select u.id, u.username, u.email, u.first_name, u.last_name, m.role, m.alert_atb, m.alert_cloud_defender, m.alert_v_ciso
    from membership m join app_user u on u.id = m.user_id
   where m.organization_id = $1 order by u.username, u.id limit $2`;

export const COUNT_USERS = 'select count(*)::int as total from membership where organization_id = $1';

export const ORGANIZATION = 'select id from organization where id = $1 and deleted_at is null';

export const NOTIFICATIONS = `
  select n.id, n.title, n.message, n.type, n.action, n.read, n.created_at, n.icon, n.href,
         o.id as organization_id, o.name as organization_name, o.logo as organization_logo
    from notification n join organization o on o.id = n.organization_id and o.deleted_at is null
   where n.user_id = $1 order by n.created_at desc, n.id desc limit $2`;

/** For a peer that loads organizations separately. */
export const BARE_NOTIFICATIONS = `
  select id, title, message, type, action, read, created_at, icon, href, organization_id
    from notification where user_id = $1 order by created_at desc, id desc limit $2`;

export const ORGANIZATIONS = `
  select id, name, logo from organization where id = any($1::bigint[]) and deleted_at is null`;

export const COUNT_NOTIFICATIONS = `
  select count(*)::int as total from notification n join organization o on o.id = n.organization_id and o.deleted_at is null
   where n.user_id = $1`;

/** The organization and its owner, in one statement that returns these columns. */
export const creatingOrganization = (columns: string) => `
  with created as (
    insert into organization (name, description, number_employees, website, logo, sectors, industries, nis2_sector,
                              compliance_frameworks, infrastructure, contacts, domains, ips)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning ${columns}
  ), owner as (
    insert into membership (organization_id, user_id, role) select id, $14, 'ORGANIZATION_OWNER' from created
  )
  select ${columns} from created`;

export const CREATE_ORGANIZATION = creatingOrganization('id, created_at, updated_at');

export interface UserRow {
  id: string;
  username: string;
  email: string;
  first_name: string;
  last_name: string;
  role: string;
  alert_atb: boolean;
  alert_cloud_defender: boolean;
  alert_v_ciso: boolean;
}

export interface BareNotificationRow {
  id: number;
  title: string;
  message: string;
  type: string;
  action: string;
  read: boolean;
  created_at: string;
  icon: string;
  href: string;
  organization_id: number;
}

export interface NotificationRow extends BareNotificationRow {
  organization_name: string;
  organization_logo: string;
}

export interface CreatedRow {
  id: number;
  created_at: string;
  updated_at: string;
}
