import { link } from '../router.js';
import { percent, text } from '../texts.js';
import { shareDone, type Progress } from '../progress.js';
import { countsOf, ProgressBar } from './basics.js';

interface Props {
  organizationId: string;
  workflow: { workflowId: string; name: string; staleEvidence: number; progress: Progress };
}

/** Progress as in the weekly report: the name, the share of completed controls, a bar, and the counts in words. */
export function WorkflowProgressRow({
  organizationId,
  workflow: { workflowId, name, staleEvidence, progress },
}: Props) {
  return (
    <div class="progress">
      <span class="line-head">
        <a href={link`organizations/${organizationId}/workflows/${workflowId}`}>{name}</a>
        <strong>{percent(shareDone(progress))}</strong>
      </span>
      <ProgressBar progress={progress} />
      <small>
        {countsOf(progress)}
        {staleEvidence > 0 && <span class="warn"> · {text('pages.progress.stale', { count: staleEvidence })}</span>}
      </small>
    </div>
  );
}
