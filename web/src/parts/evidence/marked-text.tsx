import { Text } from '@mantine/core'
import { t } from '../../language/messages.ts'
import classes from './marked-text.module.css'
import type { Segment, SpanMark } from './matching.ts'

interface Props {
  readonly segments: readonly Segment[]
}

/**
 * What somebody outside wrote, with the spans marked that another text has too, and those that it has not. As `Quote`,
 * it is text and nothing else.
 */
export const MarkedText = ({ segments }: Props) => (
  <div dir="auto" className={classes.text}>
    {segments.map(({ text, mark }, place) =>
      mark === null ? (
        text
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: the segments of a text never move
        <Marked key={place} mark={mark}>
          {text}
        </Marked>
      ),
    )}
  </div>
)

interface MarkedProps {
  readonly mark: SpanMark
  readonly children: string
}

// What one has alone is told by its line, so that nobody needs the colours.
const Marked = ({ mark, children }: MarkedProps) =>
  mark === 'shared' ? (
    <mark className={classes.shared}>{children}</mark>
  ) : (
    <span className={mark === 'own' ? classes.own : classes.differs}>{children}</span>
  )

/** What the marks mean, in their own form. */
export const MarksLegend = () => (
  <Text size="xs" c="dimmed">
    <Marked mark="shared">{t('in both')}</Marked> ·{' '}
    <Marked mark="differs">{t('a number or name that only one has')}</Marked> ·{' '}
    <Marked mark="own">{t('another word of one alone')}</Marked>
  </Text>
)
