import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { t } from '../../../language/messages.ts'
import classes from './document.module.css'
import { type DifferenceLine, parseDifferences } from './parse-differences.ts'

const MARKS: Readonly<Record<DifferenceLine['kind'], string>> = { kept: ' ', added: '+', removed: '−', place: '' }

/** The lines of a unified diff. Signs tell added from removed without the colours. */
export const DifferenceLines = ({ text }: { readonly text: string }) => {
  const lines = useMemo(() => parseDifferences(text), [text])
  if (lines.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('They say the same.')}
      </Text>
    )
  }
  return (
    <ol className={classes.differences}>
      {lines.map(({ kind, text, number }, place) => (
        // Lines repeat; their place is what they are known by.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={place} data-kind={kind}>
          <span className={classes.number}>{number}</span>
          <span className={classes.mark}>{MARKS[kind]}</span>
          <bdi dir="auto">{text}</bdi>
        </li>
      ))}
    </ol>
  )
}
