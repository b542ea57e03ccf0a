import { Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { type Cut, useFullCuts } from '../../parts/evidence/full-signal-text.ts'
import { Quote } from '../../parts/quote.tsx'
import classes from './signals.module.css'

const NAMES: Readonly<Record<Cut['kind'], string>> = {
  signature: t('Signature'),
  quoted: t('Quoted from earlier mails'),
  footer: t('Footer'),
}

interface Props {
  /** Of the signal, or of the repeat of one. */
  readonly id: string
  readonly of: NonNullable<Output<'lookup_signal'>['signal']>['cuts'] | undefined
}

/** What else stands in a mail, each part folded; nothing of what came another way. */
export const Cuts = ({ id, of }: Props) => {
  const [opened, setOpened] = useState(false)
  const parts = of?.parts ?? []
  const shown = parts.reduce((sum, { text }) => sum + Array.from(text).length, 0)
  const rest = useFullCuts(id, opened && of != null && shown < of.characters)
  if (of == null) return null
  return (
    <section aria-labelledby="cuts" className={classes.cuts}>
      <Title order={2} id="cuts" size="h5">
        {t('Also in the mail')}
      </Title>
      {(rest ?? parts).map(({ kind, text }) => (
        <details key={kind} onToggle={event => event.currentTarget.open && setOpened(true)}>
          <summary>{NAMES[kind]}</summary>
          <Quote text={text} most={4000} />
        </details>
      ))}
      {of.omitted_characters > 0 && (
        <Text size="sm" c="dimmed">
          {t('{more} more were not kept: there were too many.', {
            more: counted(of.omitted_characters, 'character'),
          })}
        </Text>
      )}
    </section>
  )
}
