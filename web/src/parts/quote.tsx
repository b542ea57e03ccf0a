import { Anchor, Button, Text } from '@mantine/core'
import { useState } from 'react'
import { SHOWN_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { language, t, word } from '../language/messages.ts'
import { clip } from './formats.ts'
import { When } from './inline.tsx'
import classes from './quote.module.css'

interface Props {
  readonly text: string
  /** How many characters are shown until somebody asks for all. */
  readonly most?: number
  /** Where the text is the beginning of a longer one: how long that is, and what reads it for who asks for all. */
  readonly rest?: { readonly characters: number; readonly read: () => void }
}

/**
 * What somebody outside wrote, as text and nothing else: in its own writing direction, which does not reach the page
 * around it, and wrapped even where it has no spaces.
 */
export const Quote = ({ text, most = SHOWN_CHARACTERS, rest }: Props) => {
  const [isWhole, setWhole] = useState(false)
  const clipped = isWhole ? text : clip(text, most)
  const characters = rest?.characters ?? text.length
  const toggle = () => {
    setWhole(!isWhole)
    rest?.read()
  }
  return (
    <div>
      <div dir="auto" className={classes.quote}>
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
    readonly actor_role?: string
    readonly source: string | null
    readonly channel: string
    readonly source_url: string | null
    readonly occurred_at: string
    readonly received_at?: string
  }
}

/** Who said something, where and when; a link leads to where they did. */
export const SaidBy = ({
  of: { actor_name, actor_role, source, channel, source_url, occurred_at, received_at },
}: SaidByProps) => (
  <Text component="span" inherit c="dimmed">
    <Text component="bdi" inherit fw={550} c="var(--mantine-color-text)">
      {actor_name ?? t('Somebody')}
    </Text>
    {actor_role !== undefined && `, ${word(actor_role)}`} · <bdi>{source ?? channel}</bdi> ·{' '}
    <When at={occurred_at} received={received_at} />
    {source_url !== null && (
      <>
        {' · '}
        <SourceLink address={source_url} />
      </>
    )}
  </Text>
)

/** Only the web’s own schemes are links; anything else that a sender wrote there is text. */
export const SourceLink = ({ address }: { readonly address: string }) => {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return <bdi>{address}</bdi>
  return (
    <Anchor href={url.href} target="_blank" rel="noopener noreferrer nofollow" inherit>
      <bdi>{url.host}</bdi>
    </Anchor>
  )
}
