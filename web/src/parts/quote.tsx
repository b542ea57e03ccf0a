import { Button } from '@mantine/core'
import { useState } from 'react'
import { language } from '../language/language.ts'
import { t } from '../language/messages.ts'
import { clip } from './formats.ts'
import classes from './quote.module.css'

const SHOWN = 600

interface Props {
  readonly text: string
  /** How many characters are shown until somebody asks for all. */
  readonly most?: number
}

/**
 * What somebody outside wrote, as text and nothing else: in its own writing direction, which does not reach the page around it, and wrapped
 * even where it has no spaces.
 */
export const Quote = ({ text, most = SHOWN }: Props) => {
  const [fullText, setWhole] = useState(false)
  const clipped = fullText ? text : clip(text, most)
  return (
    <div>
      <div dir="auto" className={classes.quote}>
        {clipped}
      </div>
      {(fullText || clipped !== text) && (
        <Button variant="subtle" size="compact-xs" aria-expanded={fullText} onClick={() => setWhole(!fullText)}>
          {fullText ? t('Show less') : t('Show all {text} characters', { text: text.length.toLocaleString(language) })}
        </Button>
      )}
    </div>
  )
}
