import { graphql } from '../gql/index.js';
import type { BlockerLinesFragment, DefenderLinesFragment } from '../gql/graphql.js';
import { link } from '../router.js';
import { label, number, text } from '../texts.js';
import { Badge, Empty, Instant, More } from './basics.js';

graphql(`
  fragment DefenderLines on CloudDefenderConnection {
    totalCount
    nodes {
      databaseId
      fqdn
      lastSeenAt
    }
  }
`);

graphql(`
  fragment BlockerLines on ThreatBlockerConnection {
    totalCount
    nodes {
      databaseId
      endpoint
      lastSeenAt
    }
  }
`);

type Found<Lines> = Lines | null | undefined;

/** Devices of an organization; kinds that the reader may not see are absent. */
export interface DevicesByHealth {
  defenders?: Found<{ totalCount: number }>;
  defendersDown?: Found<DefenderLinesFragment>;
  defendersDegraded?: Found<DefenderLinesFragment>;
  blockers?: Found<{ totalCount: number }>;
  blockersDown?: Found<BlockerLinesFragment>;
  blockersDegraded?: Found<BlockerLinesFragment>;
}

export const devicesDown = ({ defendersDown, blockersDown }: DevicesByHealth) =>
  (defendersDown?.totalCount ?? 0) + (blockersDown?.totalCount ?? 0);

/** Number of devices of each kind, and of those that need attention. */
export function DeviceLines({ devices }: { devices: DevicesByHealth }) {
  const { defenders, defendersDown, defendersDegraded, blockers, blockersDown, blockersDegraded } = devices;
  const defenderLines = (lines: Found<DefenderLinesFragment>) =>
    (lines?.nodes ?? []).map((each) => ({ ...each, name: each.fqdn, href: link`cloud-defender/${each.databaseId}` }));
  const blockerLines = (lines: Found<BlockerLinesFragment>) =>
    (lines?.nodes ?? []).map((each) => ({ ...each, name: each.endpoint, href: link`atb/${each.databaseId}` }));
  const down = [...defenderLines(defendersDown), ...blockerLines(blockersDown)];
  const degraded = [...defenderLines(defendersDegraded), ...blockerLines(blockersDegraded)];
  const all = (defenders?.totalCount ?? 0) + (blockers?.totalCount ?? 0);
  if (all === 0) return <Empty>{text('pages.devices.none')}</Empty>;
  const troubled = [
    ...down.map((each) => ({ ...each, health: 'DOWN', tone: 'bad' as const })),
    ...degraded.map((each) => ({ ...each, health: 'DEGRADED', tone: 'warn' as const })),
  ];
  const more = [defendersDown, defendersDegraded, blockersDown, blockersDegraded].reduce(
    (sum, lines) => sum + (lines == null ? 0 : lines.totalCount - lines.nodes.length),
    0,
  );
  return (
    <>
      <p class="quiet">
        {text('pages.devices.kinds', {
          defenders: number(defenders?.totalCount ?? 0),
          blockers: number(blockers?.totalCount ?? 0),
        })}
      </p>
      {troubled.length === 0 && <Empty>{text('pages.devices.allWell')}</Empty>}
      <ul class="lines">
        {troubled.map(({ name, href, health, tone, lastSeenAt }) => (
          <li key={href}>
            <span class="line-head">
              <a href={href}>{name}</a>
              <Badge tone={tone}>{label('DeviceHealth', health)}</Badge>
            </span>
            <small>
              {lastSeenAt == null ? (
                text('pages.devices.neverSeen')
              ) : (
                <>
                  {text('pages.devices.seen')} <Instant at={lastSeenAt} />
                </>
              )}
            </small>
          </li>
        ))}
      </ul>
      <More count={more} />
    </>
  );
}
