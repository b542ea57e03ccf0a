import { Mark } from '@mantine/core'
import classes from './marked-text.module.css'
import type { Segment } from './matching.ts'

interface Props {
  readonly segments: readonly Segment[]
}

/** What somebody outside wrote, with the spans marked that another text has too. As `Quote`, it is text and nothing else. */
export const MarkedText = ({ segments }: Props) => (
  <div dir="auto" className={classes.text}>
    {segments.map(({ text, matches }, place) =>
      matches ? (
        // The segments of a text never move.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Mark key={place} className={classes.mark}>
          {text}
        </Mark>
      ) : (
        text
      ),
    )}
  </div>
)
