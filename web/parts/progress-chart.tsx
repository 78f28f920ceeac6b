import { day, dayIn, percent, text } from '../texts.js';
import { shareDone, type Progress } from '../progress.js';
import { useZone } from './basics.js';

const WIDTH = 600;
const HEIGHT = 120;

/** The share of completed controls by day. The sentence below it has the same information. */
export function ProgressChart({ days }: { days: readonly (Progress & { day: string })[] }) {
  const zone = useZone();
  const [first, last] = [days[0]!, days.at(-1)!];
  const [begin, end] = [Date.parse(first.day), Date.parse(last.day)];
  const points = days.map((each) => {
    const x = (WIDTH * (Date.parse(each.day) - begin)) / Math.max(1, end - begin);
    return `${x.toFixed(1)},${(HEIGHT * (1 - shareDone(each))).toFixed(1)}`;
  });
  const line = `M${points.join('L')}`;
  const said = text('pages.workflow.change', {
    ...{ from: day(first.day), before: percent(shareDone(first)) },
    ...{ to: dayIn(last.day, zone), after: percent(shareDone(last)) },
  });
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={said}>
        {[0.25, 0.5, 0.75].map((share) => (
          <line key={share} x1="0" x2={WIDTH} y1={HEIGHT * share} y2={HEIGHT * share} class="chart-line" />
        ))}
        <path d={`${line}L${WIDTH},${HEIGHT}L0,${HEIGHT}Z`} class="chart-area" />
        <path d={line} class="chart-edge" />
      </svg>
      <figcaption>
        <small>{said}</small>
      </figcaption>
    </figure>
  );
}
