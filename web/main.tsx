import { render } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { Frame } from './parts/frame.js';
import { Trouble } from './parts/feedback.js';
import { AuditTrailPage } from './pages/audit-trail.js';
import { CloudDefenderPage, ThreatBlockerPage } from './pages/devices.js';
import { ControlPage } from './pages/control.js';
import { EngagementPage } from './pages/engagement.js';
import { IncidentPage } from './pages/incident.js';
import { IncidentsPage } from './pages/incidents.js';
import { MemberPage, MembersPage } from './pages/members.js';
import { OrganizationPage } from './pages/organization.js';
import { PortfolioPage } from './pages/portfolio.js';
import { ServiceAccountsPage } from './pages/service-accounts.js';
import { SignedInPage, SignInAgain, SignInPage } from './pages/sign-in.js';
import { TokensPage } from './pages/tokens.js';
import { WebhookPage, WebhooksPage } from './pages/webhooks.js';
import { WorkflowPage } from './pages/workflow.js';
import { matched, useAddress, type Route } from './router.js';
import { currentSession, onSession } from './session.js';
import { MissingMessage, text } from './texts.js';
import { readAnew } from './update.js';
import './style.css';

/** Every page by its path. `Application` handles unknown paths with these beginnings. */
const ROUTES: readonly Route[] = [
  { path: 'portfolio', page: PortfolioPage },
  { path: 'tokens', page: TokensPage },
  { path: 'organizations/:id', page: OrganizationPage },
  { path: 'organizations/:id/incidents', page: IncidentsPage },
  { path: 'organizations/:id/incidents/:incident', page: IncidentPage },
  { path: 'organizations/:id/workflows/:workflow', page: WorkflowPage },
  { path: 'organizations/:id/workflows/:workflow/controls/:control', page: ControlPage },
  { path: 'organizations/:id/users', page: MembersPage },
  { path: 'organizations/:id/users/:user', page: MemberPage },
  { path: 'organizations/:id/service-accounts', page: ServiceAccountsPage },
  { path: 'organizations/:id/engagements/:engagement', page: EngagementPage },
  { path: 'organizations/:id/audit-trail', page: AuditTrailPage },
  { path: 'organizations/:id/webhooks', page: WebhooksPage },
  { path: 'organizations/:id/webhooks/:webhook', page: WebhookPage },
  { path: 'cloud-defender/:id', page: CloudDefenderPage },
  { path: 'atb/:id', page: ThreatBlockerPage },
];

const SIGNED_IN = [{ path: 'signed-in', page: SignedInPage }];

function Application() {
  const { pathname } = useAddress(ROUTES);
  const [error] = useErrorBoundary((thrown) => {
    if (thrown instanceof MissingMessage) readAnew();
  }) as [Error | undefined, () => void];
  const [session, setSession] = useState(currentSession);
  useEffect(() => onSession(setSession), []);
  if (error instanceof MissingMessage) return <UpdatePage />;
  if (error !== undefined) throw error;
  if (matched(SIGNED_IN, pathname) !== undefined) return <SignedInPage />;
  if (session === 'NONE') return <SignInPage />;
  const found = matched(ROUTES, pathname);
  const Page = found?.route.page ?? MissingPage;
  return (
    <>
      <Page key={pathname} parts={found?.parts ?? {}} />
      {session === 'ENDED' && <SignInAgain />}
    </>
  );
}

function UpdatePage() {
  return (
    <main class="wide">
      <Trouble problem={{ kind: 'UPDATE', messages: [] }} />
    </main>
  );
}

function MissingPage() {
  return (
    <Frame title={text('pages.problem.NOT_FOUND')}>
      <Trouble problem={{ kind: 'NOT_FOUND', messages: [] }} />
    </Frame>
  );
}

render(<Application />, document.getElementById('application')!);
