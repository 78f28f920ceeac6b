import { useState } from 'preact/hooks';
import { send, useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import type { WebhookDeliveryStatus, WebhookPageQuery } from '../gql/graphql.js';
import { Badge, Card, Empty, excerpt, Instant, type Tone } from '../parts/basics.js';
import { About } from '../parts/about.js';
import { Button, Summary } from '../parts/button.js';
import { Confirmed } from '../parts/confirmed.js';
import { Loaded, Trouble } from '../parts/feedback.js';
import { Filter, useQuery } from '../parts/filter.js';
import { optionsOf, Sent, useSending } from '../parts/form.js';
import { Frame } from '../parts/frame.js';
import { Pager, pageOf } from '../parts/pager.js';
import { Secret } from '../parts/secret.js';
import { link, type Parts } from '../router.js';
import { ROOT } from '../settings.js';
import { label, text } from '../texts.js';

const WebhooksPageDocument = graphql(`
  query WebhooksPage($id: ID!, $first: Int, $last: Int, $after: String, $before: String) {
    organization(id: $id) {
      ...OrganizationHeader
      webhookEndpoints(first: $first, last: $last, after: $after, before: $before) {
        totalCount
        pageInfo {
          ...PageLinks
        }
        nodes {
          ...EndpointState
        }
      }
    }
  }
`);

graphql(`
  fragment EndpointState on WebhookEndpoint {
    databaseId
    version
    url
    description
    format
    status
    disabledReason
    failingSince
    eventTypes
    previousSecretUntil
  }
`);

export function WebhooksPage({ parts: { id = '' } }: { parts: Parts }) {
  const query = useQuery();
  const answer = useAnswer(WebhooksPageDocument, { id, ...pageOf(query) });
  return (
    <Frame title={text('pages.tab.webhooks')} organization={{ id, header: answer.data?.organization, tab: 'webhooks' }}>
      <Loaded answer={answer} find={({ organization }) => organization?.webhookEndpoints}>
        {({ totalCount, nodes, pageInfo }) => (
          <Card title={text('pages.webhooks.endpoints')} count={totalCount}>
            {nodes.length === 0 && (
              <Empty>
                {text('pages.webhooks.none')} <a href={`${ROOT}guides/webhooks`}>{text('pages.webhooks.create')}</a>
              </Empty>
            )}
            <ul class="lines">
              {nodes.map((each) => (
                <li key={each.databaseId}>
                  <span class="line-head">
                    <a href={link`organizations/${id}/webhooks/${each.databaseId}`}>{excerpt(each.url, 100)}</a>
                    <EndpointBadge endpoint={each} />
                  </span>
                  <small>
                    {label('WebhookFormat', each.format)} ·{' '}
                    {text('pages.webhooks.types', { count: each.eventTypes.length })}
                    {Boolean(each.description) && <> · {each.description}</>}
                  </small>
                </li>
              ))}
            </ul>
            <Pager info={pageInfo} query={query} />
          </Card>
        )}
      </Loaded>
    </Frame>
  );
}

type Endpoint = NonNullable<WebhookPageQuery['webhookEndpoint']>;

function EndpointBadge({ endpoint }: { endpoint: Pick<Endpoint, 'status' | 'failingSince'> }) {
  if (endpoint.status === 'DISABLED') return <Badge tone="bad">{label('WebhookStatus', endpoint.status)}</Badge>;
  if (endpoint.failingSince != null) return <Badge tone="warn">{text('pages.webhooks.failing')}</Badge>;
  return <Badge tone="good">{label('WebhookStatus', endpoint.status)}</Badge>;
}

const WebhookPageDocument = graphql(`
  query WebhookPage(
    $organizationId: ID!
    $id: ID!
    $first: Int
    $last: Int
    $after: String
    $before: String
    $filter: WebhookDeliveryFilter
  ) {
    organization(id: $organizationId) {
      ...OrganizationHeader
    }
    webhookEndpoint(organizationId: $organizationId, id: $id) {
      ...EndpointState
      deliveries(first: $first, last: $last, after: $after, before: $before, filter: $filter) {
        totalCount
        pageInfo {
          ...PageLinks
        }
        nodes {
          databaseId
          eventType
          status
          statusCode
          error
          answer
          milliseconds
          attemptCount
          createdAt
          attemptedAt
          nextAttemptAt
        }
      }
    }
  }
`);

const STATUSES: readonly WebhookDeliveryStatus[] = ['PENDING', 'DELIVERED', 'FAILED'];
const TONES: Record<WebhookDeliveryStatus, Tone> = { PENDING: 'warn', DELIVERED: 'good', FAILED: 'bad' };

export function WebhookPage({ parts: { id = '', webhook = '' } }: { parts: Parts }) {
  const query = useQuery();
  const status = STATUSES.find((each) => each === query.get('status'));
  const filter = status === undefined ? null : { status };
  const answer = useAnswer(WebhookPageDocument, { organizationId: id, id: webhook, filter, ...pageOf(query) });
  const ids = { organizationId: id, webhookEndpointId: webhook };
  return (
    <Frame
      title={answer.data?.webhookEndpoint?.url ?? text('pages.tab.webhooks')}
      organization={{ id, header: answer.data?.organization, tab: 'webhooks' }}
      above={{ href: link`organizations/${id}/webhooks`, title: text('pages.tab.webhooks') }}
    >
      <Filter
        choices={[
          {
            name: 'status',
            label: text('pages.webhooks.deliveryStatus'),
            options: optionsOf('WebhookDeliveryStatus', STATUSES),
          },
        ]}
      >
        <Loaded answer={answer} find={({ webhookEndpoint }) => webhookEndpoint}>
          {(endpoint) => (
            <>
              <EndpointCard ids={ids} endpoint={endpoint} onChanged={answer.reload} />
              <Card title={text('pages.webhooks.deliveries')} count={endpoint.deliveries.totalCount}>
                {endpoint.deliveries.nodes.length === 0 && <Empty>{text('pages.webhooks.noDeliveries')}</Empty>}
                <ul class="lines">
                  {endpoint.deliveries.nodes.map((each) => (
                    <Delivery key={each.databaseId} ids={ids} delivery={each} onChanged={answer.reload} />
                  ))}
                </ul>
                <Pager info={endpoint.deliveries.pageInfo} query={query} />
              </Card>
            </>
          )}
        </Loaded>
      </Filter>
    </Frame>
  );
}

const TestWebhook = graphql(`
  mutation TestWebhook($input: SendTestWebhookInput!) {
    sendTestWebhook(input: $input) {
      eventId
    }
  }
`);

const RotateSecret = graphql(`
  mutation RotateSecret($input: RotateWebhookSecretInput!) {
    rotateWebhookSecret(input: $input) {
      secret
    }
  }
`);

const Redeliver = graphql(`
  mutation Redeliver($input: RedeliverWebhookInput!) {
    redeliverWebhook(input: $input) {
      webhookDelivery {
        databaseId
      }
    }
  }
`);

interface PartProps {
  ids: { organizationId: string; webhookEndpointId: string };
  onChanged: () => void;
}

function EndpointCard({ ids, endpoint, onChanged }: PartProps & { endpoint: Endpoint }) {
  const sending = useSending();
  const [secret, setSecret] = useState<string>();
  const { version, description, format, status, disabledReason, failingSince, eventTypes, previousSecretUntil } =
    endpoint;
  const test = async () => {
    await sending.run(() => send(TestWebhook, { input: ids }));
    onChanged();
  };
  const rotate = async () => {
    const sent = await sending.run(() => send(RotateSecret, { input: { ...ids, version } }));
    if (sent?.data !== undefined) setSecret(sent.data.rotateWebhookSecret?.secret);
    onChanged();
  };
  return (
    <Card title={text('pages.webhooks.endpoint')} action={<EndpointBadge endpoint={endpoint} />}>
      {Boolean(description) && <p class="written">{description}</p>}
      <p>
        <small>
          {label('WebhookFormat', format)} · {eventTypes.join(', ') || text('pages.webhooks.types', { count: 0 })}
        </small>
      </p>
      {failingSince != null && (
        <p class="warn">
          {text('pages.webhooks.failingSince')} <Instant at={failingSince} />
        </p>
      )}
      {disabledReason != null && <p class="bad">{label('WebhookDisabledReason', disabledReason)}</p>}
      {previousSecretUntil != null && (
        <p>
          {text('pages.webhooks.previousSecret')} <Instant at={previousSecretUntil} />
        </p>
      )}
      <p class="actions">
        {status === 'ENABLED' && (
          <Button disabled={sending.sending} onClick={() => void test()}>
            {text('pages.webhooks.test')}
          </Button>
        )}
        <Confirmed
          question={text('pages.webhooks.rotateReally')}
          disabled={sending.sending}
          onConfirm={() => void rotate()}
        >
          {text('pages.webhooks.rotate')}
        </Confirmed>
        <Sent sending={sending} done={text('pages.done')} />
      </p>
      {sending.problem !== undefined && <Trouble problem={sending.problem} />}
      {secret !== undefined && <Secret value={secret}>{text('pages.webhooks.secretMade')}</Secret>}
    </Card>
  );
}

type DeliveryFacts = Endpoint['deliveries']['nodes'][number];

function Delivery({ ids, delivery, onChanged }: PartProps & { delivery: DeliveryFacts }) {
  const sending = useSending();
  const { databaseId, eventType, status, statusCode, error, answer, milliseconds, attemptCount } = delivery;
  const again = async () => {
    await sending.run(() => send(Redeliver, { input: { ...ids, webhookDeliveryId: databaseId } }));
    onChanged();
  };
  return (
    <li>
      <span class="line-head">
        <strong id={`type-${databaseId}`}>{eventType}</strong>
        <Badge tone={TONES[status]}>{label('WebhookDeliveryStatus', status)}</Badge>
      </span>
      <small>
        <span id={`at-${databaseId}`}>
          <Instant at={delivery.attemptedAt ?? delivery.createdAt} />
        </span>{' '}
        · {text('pages.webhooks.attempts', { count: attemptCount })}
        {statusCode != null && <> · {statusCode}</>}
        {milliseconds != null && <> · {milliseconds} ms</>}
        {error != null && <> · {error}</>}
        {delivery.nextAttemptAt != null && (
          <>
            {' · '}
            {text('pages.webhooks.next')} <Instant at={delivery.nextAttemptAt} />
          </>
        )}
      </small>
      <About.Provider value={`type-${databaseId} at-${databaseId}`}>
        {Boolean(answer) && (
          <details>
            <Summary>{text('pages.webhooks.answer')}</Summary>
            <pre tabIndex={0}>{answer}</pre>
          </details>
        )}
        {status !== 'PENDING' && (
          <p class="actions">
            <Button disabled={sending.sending} onClick={() => void again()}>
              {text('pages.webhooks.redeliver')}
            </Button>
          </p>
        )}
      </About.Provider>
      <Sent sending={sending} done={text('pages.done')} />
      {sending.problem !== undefined && <Trouble problem={sending.problem} />}
    </li>
  );
}
