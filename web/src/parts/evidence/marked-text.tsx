import { Text } from '@mantine/core'
import { t } from '../../language/messages.ts'
import classes from './marked-text.module.css'
import type { Segment, SpanMark } from './matching.ts'

interface Props {
  readonly segments: readonly Segment[]
}

/**
 * A stranger's text, with marks on spans that another text shares and on spans that only it has. Plain text, like
 * `Quote`.
 */
export const MarkedText = ({ segments }: Props) => (
  <div dir="auto" lang="" className={classes.text}>
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

// Underlines distinguish own words, so that nobody needs the colours.
const Marked = ({ mark, children }: MarkedProps) =>
  mark === 'shared' ? (
    <mark className={classes.shared}>{children}</mark>
  ) : (
    <span className={mark === 'own' ? classes.own : classes.differs}>{children}</span>
  )

/** Meanings of the marks, in their own form. */
export const MarksLegend = () => (
  <Text size="xs" c="dimmed">
    <Marked mark="shared">{t('in both')}</Marked> ·{' '}
    <Marked mark="differs">{t('a number or name that only one has')}</Marked> ·{' '}
    <Marked mark="own">{t('another word that only one has')}</Marked>
  </Text>
)
