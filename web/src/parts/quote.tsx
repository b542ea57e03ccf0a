import { Anchor, Button, Text } from '@mantine/core'
import { useState } from 'react'
import { SHOWN_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { language, t, word } from '../language/messages.ts'
import { clip } from './formats.ts'
import { When } from './inline.tsx'
import classes from './quote.module.css'

interface Props {
  readonly text: string
  /** What it says itself, where its beginning is that of many others; shown instead until the person asks for all. */
  readonly lead?: string | undefined
  /** Characters shown before the person asks for all. */
  readonly most?: number
  /** For the beginning of a longer text: its length, and a function that reads the rest. */
  readonly rest?: { readonly characters: number; readonly read: () => void }
}

/**
 * A stranger's text as plain text: in its own writing direction, isolated from the page, and wrapped even without
 * spaces. Its language is unknown and not the page's, so that a screen reader chooses the voice by itself.
 */
export const Quote = ({ text, lead, most = SHOWN_CHARACTERS, rest }: Props) => {
  const [isWhole, setWhole] = useState(false)
  const clipped = isWhole ? text : clip(lead ?? text, most)
  const characters = rest?.characters ?? text.length
  const toggle = () => {
    setWhole(!isWhole)
    rest?.read()
  }
  return (
    <div>
      <div dir="auto" lang="" className={classes.quote}>
        {clipped}
      </div>
      {(isWhole || rest !== undefined || clipped !== text) && (
        <Button variant="subtle" size="compact-xs" aria-expanded={isWhole} onClick={toggle}>
          {isWhole ? t('Show less') : t('Show all {text} characters', { text: characters.toLocaleString(language) })}
        </Button>
      )}
    </div>
  )
}

interface SaidByProps {
  readonly of: {
    readonly actor_name: string | null
    /** That its sender is of. */
    readonly account?: string | null
    readonly actor_role?: string
    readonly source: string | null
    readonly channel: string
    readonly source_url: string | null
    readonly occurred_at: string
    readonly received_at?: string
  }
}

/** Speaker, place and time of a text; a link leads to its source. */
export const SaidBy = ({
  of: { actor_name, account, actor_role, source, channel, source_url, occurred_at, received_at },
}: SaidByProps) => (
  <Text component="span" inherit c="dimmed">
    <Text component="bdi" inherit fw={550} c="var(--mantine-color-text)">
      {actor_name ?? account ?? t('Somebody')}
    </Text>
    {actor_role !== undefined && `, ${word(actor_role)}`} · <bdi>{source ?? word(channel)}</bdi> ·{' '}
    <When at={occurred_at} received={received_at} />
    {source_url !== null && (
      <>
        {' · '}
        <SourceLink address={source_url} />
      </>
    )}
  </Text>
)

/** Only the web's own schemes become links; a sender's other addresses stay text. */
export const SourceLink = ({ address }: { readonly address: string }) => {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return <bdi>{address}</bdi>
  return (
    <Anchor href={url.href} target="_blank" rel="noopener noreferrer nofollow" inherit>
      <bdi>{url.host}</bdi>
    </Anchor>
  )
}
