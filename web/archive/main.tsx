import { render } from 'preact';
import { useState } from 'preact/hooks';
import { Badge, Card, Empty, type Tone } from '../parts/basics.js';
import { settings } from '../settings.js';
import { day, instant, label, number, text } from '../texts.js';
import {
  KEYS,
  NoEd25519,
  rowsOf,
  verifyArchive,
  type ArchiveFile,
  type ArchiveKey,
  type Manifest,
  type Verified,
} from './verify.js';
import '../style.css';

type Rows = Record<string, string>[];

/** The content that is shown after the verification; it is read from the verified files. */
interface Shown extends Verified {
  controls: Rows;
  documents: Rows;
  mapped: Rows;
  incidents: Rows;
  reports: Rows;
}

type State =
  | { kind: 'WAITING' }
  | { kind: 'WORKING'; done: number; all: number }
  | { kind: 'FAILED'; message: string }
  | { kind: 'DONE'; shown: Shown };

function filesOf(list: FileList): ArchiveFile[] {
  return [...list].map((file) => ({
    path: file.webkitRelativePath.slice(file.webkitRelativePath.indexOf('/') + 1),
    size: file.size,
    bytes: async () => new Uint8Array(await file.arrayBuffer()),
  }));
}

async function keysOf(file: File | undefined, files: readonly ArchiveFile[]): Promise<ArchiveKey[]> {
  const bytes = file === undefined ? await files.find(({ path }) => path === KEYS)?.bytes() : await file.arrayBuffer();
  if (bytes === undefined) return [];
  const parsed = JSON.parse(new TextDecoder().decode(bytes)) as { keys?: ArchiveKey[] };
  return Array.isArray(parsed.keys) ? parsed.keys : [];
}

async function tablesOf(verified: Verified, files: readonly ArchiveFile[]): Promise<Shown> {
  const table = async (name: string) => {
    const file = files.find(({ path }) => path === `${name}.csv`);
    return file === undefined || verified.manifest === undefined ? [] : rowsOf(await file.bytes());
  };
  return {
    ...verified,
    controls: await table('controls'),
    documents: await table('documents'),
    mapped: await table('mapped'),
    incidents: await table('incidents'),
    reports: await table('incident-reports'),
  };
}

function ArchivePage() {
  const [files, setFiles] = useState<ArchiveFile[]>();
  const [keyFile, setKeyFile] = useState<File>();
  const [state, setState] = useState<State>({ kind: 'WAITING' });
  const verify = async (chosen: ArchiveFile[] | undefined, key: File | undefined) => {
    if (chosen === undefined) return;
    try {
      const onFile = (done: number, all: number) => setState({ kind: 'WORKING', done, all });
      onFile(0, chosen.length);
      const verified = await verifyArchive(chosen, await keysOf(key, chosen), onFile);
      setState({ kind: 'DONE', shown: await tablesOf(verified, chosen) });
    } catch (error) {
      const message = error instanceof NoEd25519 ? text('archive.noEd25519') : String(error);
      setState({ kind: 'FAILED', message });
    }
  };
  return (
    <main class="wide archive" id="content">
      <h1>{text('archive.title')}</h1>
      <p class="quiet">{text('archive.explained')}</p>
      <Card title={text('archive.choose')}>
        <div class="field">
          <label for="folder">{text('archive.folder')}</label>
          <input
            id="folder"
            type="file"
            multiple
            {...{ webkitdirectory: true }}
            onChange={({ currentTarget }) => {
              const chosen = filesOf(currentTarget.files!);
              setFiles(chosen);
              void verify(chosen, keyFile);
            }}
          />
        </div>
        <div class="field">
          <label for="key">{text('archive.key')}</label>
          <input
            id="key"
            type="file"
            accept=".json"
            aria-describedby="key-hint"
            onChange={({ currentTarget }) => {
              const [chosen] = currentTarget.files!;
              setKeyFile(chosen);
              void verify(files, chosen);
            }}
          />
          <p class="quiet" id="key-hint">
            {text('archive.keyHint')}
          </p>
        </div>
      </Card>
      <div role="status">{statusOf(state, keyFile !== undefined)}</div>
      {state.kind === 'DONE' && state.shown.manifest !== undefined && <Contents {...state.shown} />}
    </main>
  );
}

function statusOf(state: State, isOwnKey: boolean) {
  if (state.kind === 'WAITING') return null;
  if (state.kind === 'WORKING') return <p>{text('archive.working', { done: state.done, all: state.all })}</p>;
  if (state.kind === 'FAILED') return <p class="card verdict bad">{state.message}</p>;
  return <Verdict verified={state.shown} isOwnKey={isOwnKey} />;
}

/** Local time with UTC, which is the proven one in the files. */
function proven(at: string, zone: string): string {
  const [own, utc] = [instant(at, zone), instant(at, 'UTC')];
  return own === utc ? utc : `${own} (${utc})`;
}

/** Time zone of the organization; an archive of an earlier version lacks it. */
const zoneOf = ({ time_zone: zone = 'UTC' }: Manifest) => zone;

function Verdict({ verified: { violations, manifest, key }, isOwnKey }: { verified: Verified; isOwnKey: boolean }) {
  if (manifest !== undefined && key !== undefined && violations.length === 0)
    return (
      <section class="card verdict good">
        <h2>{text('archive.valid', { count: manifest.files.length })}</h2>
        <p>
          {text('archive.checkpoint', {
            position: number(manifest.checkpoint.position),
            at: proven(manifest.checkpoint.at, zoneOf(manifest)),
          })}
        </p>
        <p>{text(isOwnKey ? 'archive.ownKey' : 'archive.packedKey', { key: key.kid })}</p>
      </section>
    );
  return (
    <section class="card verdict bad">
      <h2>{text('archive.invalid', { count: violations.length })}</h2>
      <ul>
        {violations.map(({ kind, path }) => (
          <li key={path}>{text(`archive.fault.${kind}`, { path })}</li>
        ))}
      </ul>
    </section>
  );
}

const STATUS_TONES: Readonly<Record<string, Tone>> = {
  DONE: 'good',
  IN_PROGRESS: 'warn',
  TO_DO: 'bad',
  NOT_APPLICABLE: 'quiet',
};

function Contents({ manifest, controls, documents, mapped, incidents, reports }: Shown) {
  const { organization, workflow, period, created_at, created_by } = manifest!;
  const filesOf = (id: string | undefined) => [...documents, ...mapped].filter(({ control_id }) => control_id === id);
  const reportsOf = (id: string | undefined) => reports.filter(({ incident_id }) => incident_id === id);
  // Headings may have files as well, and so may controls that the workflow has no more.
  const known = new Set(controls.map(({ control_id = '' }) => control_id));
  const withFiles = new Set([...documents, ...mapped].map(({ control_id = '' }) => control_id));
  const gone = [...withFiles].filter((control_id) => !known.has(control_id));
  const listed: Rows = [
    ...controls.filter(({ control_id = '', status }) => status !== '' || withFiles.has(control_id)),
    ...gone.map((control_id) => ({ control_id })),
  ];
  const zone = zoneOf(manifest!);
  const from = period.from === null ? text('archive.beginning') : proven(period.from, zone);
  return (
    <>
      <Card
        title={organization.name}
        action={organization.sandbox && <Badge tone="warn">{text('archive.sandbox')}</Badge>}
      >
        <dl class="facts">
          <Fact name={text('archive.workflow')} value={`${workflow.name} (${workflow.id}, ${workflow.version})`} />
          <Fact name={text('archive.period')} value={`${from} – ${proven(period.to ?? created_at, zone)}`} />
          <Fact name={text('archive.asOf')} value={proven(created_at, zone)} />
          <Fact name={text('archive.preparedFor')} value={created_by} />
        </dl>
      </Card>
      <Card title={text('archive.controls')} count={listed.length}>
        <ul class="lines">
          {listed.map(
            ({ control_id = '', label: name, status = '', owner, due_date, attestation = '', justification }) => (
              <li key={control_id}>
                <div class="line-head">
                  <strong>
                    {control_id} {name}
                  </strong>
                  <span class="badges">
                    {status !== '' && (
                      <Badge tone={STATUS_TONES[status] ?? 'quiet'}>{label('ControlStatus', status)}</Badge>
                    )}
                    {attestation !== '' && (
                      <Badge tone={attestation === 'STALE' ? 'warn' : 'quiet'}>
                        {label('AttestationState', attestation)}
                      </Badge>
                    )}
                  </span>
                </div>
                <p class="quiet">{[owner, due_date && day(due_date), justification].filter(Boolean).join(' · ')}</p>
                {filesOf(control_id).map(({ path = '', original_name }) => (
                  <p key={path}>
                    <a href={addressOf(path)}>{original_name}</a>
                  </p>
                ))}
              </li>
            ),
          )}
        </ul>
      </Card>
      <Card title={text('archive.incidents')} count={incidents.length}>
        {incidents.length === 0 && <Empty>{text('archive.none')}</Empty>}
        <ul class="lines">
          {incidents.map(({ id, title, severity = '', status = '' }) => (
            <li key={id}>
              <div class="line-head">
                <strong>{title}</strong>
                <span class="badges">
                  <Badge tone="quiet">{label('IncidentSeverity', severity)}</Badge>
                  <Badge tone="quiet">{label('IncidentStatus', status)}</Badge>
                </span>
              </div>
              {reportsOf(id).map(({ regime_id = '', stage = '', number: nth, late, copy = '', ...report }) => (
                <p class="quiet" key={`${regime_id} ${stage} ${nth}`}>
                  {[
                    settings.regimes?.[regime_id] ?? regime_id,
                    label('IncidentReportStage', stage),
                    ...sentOrDue(report, zone),
                  ].join(' · ')}{' '}
                  {late === 'true' && <Badge tone="bad">{text('archive.late')}</Badge>}
                  {copy !== '' && <a href={addressOf(copy)}>{text('archive.copy')}</a>}
                </p>
              ))}
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}

/**
 * A report that is not required, or whose time is not known yet, has neither. One that was provided before, or is not
 * due, was not sent. An archive of an earlier version lacks the manner and the extended deadline.
 */
function sentOrDue(report: Record<string, string>, zone: string): string[] {
  const { sent_at: at = '', manner = 'SENT', due_at: due = '', extended_to: extended = '' } = report;
  if (at !== '' && manner === 'SENT') return [text('archive.sent', { at: proven(at, zone) })];
  if (at !== '') return [`${label('ReportManner', manner)}: ${proven(at, zone)}`];
  return due === '' ? [] : [text('archive.due', { at: proven(extended || due, zone) })];
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** A link to a file beside this page. */
const addressOf = (path: string) => path.split('/').map(encodeURIComponent).join('/');

document.documentElement.lang = settings.language;
document.title = text('archive.title');
render(<ArchivePage />, document.getElementById('application')!);
