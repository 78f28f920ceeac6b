import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { onReset } from '../api.js';
import { graphql } from '../gql/index.js';
import type { OrganizationHeaderFragment, Privilege } from '../gql/graphql.js';
import { hasMoved, link } from '../router.js';
import { ROOT, settings } from '../settings.js';
import { text } from '../texts.js';
import { Badge, Zone } from './basics.js';
import { Mark } from './mark.js';
import { SignOut } from './sign-out.js';

/** The fields of an organization that each of its pages knows. */
graphql(`
  fragment OrganizationHeader on Organization {
    databaseId
    name
    logo
    sandbox
    branding {
      customColors {
        primary
      }
    }
    settings {
      timeZone
    }
    viewerPrivileges
  }
`);

const TABS = [
  ['overview', '', 'READ_ORGANIZATION'],
  ['incidents', 'incidents', 'READ_INCIDENTS'],
  ['members', 'users', 'LIST_MEMBERS'],
  ['serviceAccounts', 'service-accounts', 'LIST_SERVICE_ACCOUNTS'],
  ['auditTrail', 'audit-trail', 'READ_AUDIT_TRAIL'],
  ['webhooks', 'webhooks', 'READ_WEBHOOKS'],
] as const satisfies readonly (readonly [string, string, Privilege])[];

export type Tab = (typeof TABS)[number][0];

interface FrameProps {
  title: string;
  /** The organization that the page is about, by the id in its address; its header once it is known. */
  organization?: { id: string; header: OrganizationHeaderFragment | null | undefined; tab?: Tab };
  /** The page that this one is a part of. */
  above?: { href: string; title: string } | undefined;
  /** Beside the title. */
  aside?: ComponentChildren;
  children: ComponentChildren;
}

/** Headers that were answered: the bar does not change while the next page of the same organization is awaited. */
const known = new Map<string, OrganizationHeaderFragment>();
onReset(() => known.clear());

/** A whole page: the bar in the organization's colour, links to its other pages, and the title. */
export function Frame({ title, organization, above, aside, children }: FrameProps) {
  const id = organization?.id;
  if (id !== undefined && organization?.header) known.set(id, organization.header);
  const header = id === undefined ? undefined : known.get(id);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = [title, header?.name ?? text('pages.gateway')].join(' – ');
  }, [title, header?.name]);
  useEffect(() => {
    const { style } = document.documentElement;
    if (header === undefined) style.removeProperty('--brand');
    else style.setProperty('--brand', header.branding.customColors.primary);
  }, [header?.branding.customColors.primary]);
  useEffect(() => {
    // A reader of a screen hears the title of the page that a link has opened.
    if (hasMoved() && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [title, location.href]);
  return (
    <Zone.Provider value={header?.settings.timeZone}>
      <a class="skip" href="#content">
        {text('pages.skip')}
      </a>
      <header class="band">
        <div class="wide">
          <a class="name" href={header === undefined ? link`portfolio` : link`organizations/${header.databaseId}`}>
            <Logo header={header} />
            <bdi>{header?.name ?? text('pages.gateway')}</bdi>
            {header?.sandbox && <Badge tone="warn">{text('pages.sandbox')}</Badge>}
          </a>
          <nav aria-label={text('pages.mine')}>
            <a href={link`portfolio`}>{text('pages.portfolio.title')}</a>
            <a href={link`tokens`}>{text('pages.tokens.title')}</a>
            <a href={link`guides`}>{text('pages.guides')}</a>
            <SignOut />
          </nav>
        </div>
      </header>
      {header !== undefined && <Tabs header={header} tab={organization?.tab} />}
      <main id="content" class="wide">
        {above !== undefined && (
          <p class="above">
            <a href={above.href}>‹ {above.title}</a>
          </p>
        )}
        <div class="title">
          <h1 ref={heading} tabIndex={-1}>
            <bdi>{title}</bdi>
          </h1>
          {aside}
        </div>
        {children}
      </main>
    </Zone.Provider>
  );
}

/** The bar of a page before there is a token: that of the gateway's other pages, which `src/portal/page.ts` makes. */
export function SiteBar() {
  return (
    <header class="band">
      <div class="wide">
        <a class="name" href={ROOT}>
          <Mark /> {text('pages.gateway')}
        </a>
        <nav aria-label={text('pages.site')}>
          <a href={link`guides`}>{text('pages.guides')}</a>
          <a href={link`docs`}>{text('pages.reference')}</a>
          {settings.explorer && <a href={link`graphiql`}>GraphiQL</a>}
          <a href={link`portfolio`}>{text('pages.portfolio.title')}</a>
        </nav>
      </div>
    </header>
  );
}

function Tabs({ header, tab }: { header: OrganizationHeaderFragment; tab: Tab | undefined }) {
  const shown = TABS.filter(([, , privilege]) => header.viewerPrivileges.includes(privilege));
  return (
    <nav class="tabs" aria-label={header.name}>
      <div class="wide">
        {shown.map(([name, path]) => (
          <a
            key={name}
            href={`${link`organizations/${header.databaseId}`}${path && `/${path}`}`}
            aria-current={name === tab ? 'page' : undefined}
          >
            {text(`pages.tab.${name}`)}
          </a>
        ))}
      </div>
    </nav>
  );
}

/** The policy of the pages lets no picture of another host be loaded: such a logo is left out. */
function Logo({ header }: { header: OrganizationHeaderFragment | undefined }) {
  const logo = header?.logo ?? '';
  const own = [location.origin, settings.publicUrl].find((each) => logo.startsWith(`${each}/`));
  if (own !== undefined) return <img src={logo} alt="" height={32} />;
  return header === undefined ? <Mark /> : null;
}
