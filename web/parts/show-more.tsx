import type { ComponentChildren } from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';
import { text } from '../texts.js';
import { About } from './about.js';
import { CardTitle } from './basics.js';
import { Button } from './button.js';

/** Called once more of a list is shown, with its first element and their number. */
export type OnShown = (first: Element | null | undefined, count: number) => void;

interface ShowMoreProps {
  name: string;
  /** Loads more, and calls back once it is loaded. */
  children: (onShown: OnShown) => ComponentChildren;
}

/**
 * A button that shows more of a list. The focus stays on it until more is loaded and then moves to the first new
 * element; a screen reader reads their number.
 */
export function ShowMore({ name, children }: ShowMoreProps) {
  const [goesOn, setGoesOn] = useState(false);
  const [shown, setShown] = useState<number>();
  const button = useRef<HTMLElement | null>(null);
  const about = useContext(CardTitle);
  const onShown: OnShown = (first, count) => {
    const { activeElement } = document;
    // The reader may have moved the focus meanwhile.
    if (first instanceof HTMLElement && (activeElement === button.current || activeElement === document.body)) {
      if (first.tabIndex < 0) first.tabIndex = -1;
      first.focus();
    }
    setShown(count);
  };
  return (
    <>
      <span role="status" class="unseen">
        {shown !== undefined && text('pages.more.shown', { count: shown })}
      </span>
      {goesOn && children(onShown)}
      {shown === undefined && (
        <p class="below">
          <About.Provider value={about}>
            <Button
              disabled={goesOn}
              onClick={() => setGoesOn(true)}
              buttonRef={(element) => void (button.current = element)}
            >
              {name}
            </Button>
          </About.Provider>
        </p>
      )}
    </>
  );
}
