import type { ComponentChildren } from 'preact';
import { useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import type { DeviceHealth, DeviceStateFragment } from '../gql/graphql.js';
import { Badge, Card, Instant, type Tone } from '../parts/basics.js';
import { Loaded } from '../parts/feedback.js';
import { Frame } from '../parts/frame.js';
import { link, type Parts } from '../router.js';
import { dayIn, label, text } from '../texts.js';

graphql(`
  fragment DeviceState on Device {
    endpoint
    email
    services
    lastSeenAt
    deletedAt
    organization {
      ...OrganizationHeader
    }
  }
`);

const CloudDefenderPageDocument = graphql(`
  query CloudDefenderPage($id: ID!) {
    cloudDefender(id: $id) {
      ...DeviceState
      fqdn
      check {
        status
        series(bucket: DAY) {
          points {
            begin
            status
          }
        }
      }
    }
  }
`);

const ThreatBlockerPageDocument = graphql(`
  query ThreatBlockerPage($id: ID!) {
    threatBlocker(id: $id) {
      ...DeviceState
      check {
        status
        series(bucket: DAY) {
          points {
            begin
            status
          }
        }
      }
    }
  }
`);

export function CloudDefenderPage({ parts: { id = '' } }: { parts: Parts }) {
  const answer = useAnswer(CloudDefenderPageDocument, { id });
  const device = answer.data?.cloudDefender;
  return (
    <DeviceFrame title={device?.fqdn ?? text('pages.devices.defender')} device={device}>
      <Loaded answer={answer} find={({ cloudDefender }) => cloudDefender}>
        {(shown) => <DeviceCard device={shown} check={shown.check} kind={text('pages.devices.defender')} />}
      </Loaded>
    </DeviceFrame>
  );
}

export function ThreatBlockerPage({ parts: { id = '' } }: { parts: Parts }) {
  const answer = useAnswer(ThreatBlockerPageDocument, { id });
  const device = answer.data?.threatBlocker;
  return (
    <DeviceFrame title={device?.endpoint ?? text('pages.devices.blocker')} device={device}>
      <Loaded answer={answer} find={({ threatBlocker }) => threatBlocker}>
        {(shown) => <DeviceCard device={shown} check={shown.check} kind={text('pages.devices.blocker')} />}
      </Loaded>
    </DeviceFrame>
  );
}

interface DeviceFrameProps {
  title: string;
  device: DeviceStateFragment | null | undefined;
  children: ComponentChildren;
}

function DeviceFrame({ title, device, children }: DeviceFrameProps) {
  if (device == null) return <Frame title={title}>{children}</Frame>;
  const { organization } = device;
  const id = String(organization.databaseId);
  const above = { href: link`organizations/${id}`, title: organization.name };
  return (
    <Frame title={title} organization={{ id, header: organization, tab: 'overview' }} above={above}>
      {children}
    </Frame>
  );
}

const TONES: Record<DeviceHealth, Tone> = { HEALTHY: 'good', DEGRADED: 'warn', DOWN: 'bad', UNKNOWN: 'quiet' };

interface Check {
  status: DeviceHealth;
  series: { points: readonly { begin: string; status: DeviceHealth }[] };
}

/** Its days are in UTC, as in the counts of devices. */
function DeviceCard({ device, check, kind }: { device: DeviceStateFragment; check: Check; kind: string }) {
  return (
    <Card title={kind} action={<Badge tone={TONES[check.status]}>{label('DeviceHealth', check.status)}</Badge>}>
      <ol class="strip" aria-label={text('pages.devices.days')}>
        {check.series.points.map(({ begin, status }) => {
          const said = `${dayIn(begin.slice(0, 10), 'UTC')}: ${label('DeviceHealth', status)}`;
          return (
            <li key={begin} class={TONES[status]} title={said}>
              <span class="unseen">{said}</span>
            </li>
          );
        })}
      </ol>
      <dl class="facts">
        <dt>{text('pages.devices.endpoint')}</dt>
        <dd>{device.endpoint}</dd>
        <dt>{text('pages.devices.seen')}</dt>
        <dd>{device.lastSeenAt == null ? text('pages.devices.neverSeen') : <Instant at={device.lastSeenAt} />}</dd>
        <dt>{text('pages.devices.services')}</dt>
        <dd>{device.services.join(', ') || '–'}</dd>
        <dt>{text('pages.devices.contact')}</dt>
        <dd>{device.email}</dd>
      </dl>
      {device.deletedAt != null && <p class="bad">{text('pages.devices.deleted')}</p>}
    </Card>
  );
}
