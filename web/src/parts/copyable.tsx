import { ActionIcon, Box, Text, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '../language/messages.ts'
import { say } from '../shell/say.ts'
import classes from './copyable.module.css'

/**
 * Copies a text; answers true on success. Without TLS browsers have no `navigator.clipboard`; then the older way
 * through a selection works.
 */
export const copyText = async (text: string): Promise<boolean> => {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  return copied
}

const CONFIRMED_MS = 2000

interface Props {
  /** Name of the text: `Client configuration`. */
  readonly label: string
  readonly text: string
}

export const Copyable = ({ label, text }: Props) => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    const isCopied = await copyText(text)
    setCopied(isCopied)
    if (isCopied) say(t('Copied: {label}', { label }))
    setTimeout(() => setCopied(false), CONFIRMED_MS)
  }
  return (
    <Box>
      <Text size="xs" c="dimmed" mb="xs">
        {label}
      </Text>
      <Box className={classes.frame ?? ''}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
        <section className={classes.text ?? ''} tabIndex={0} aria-label={label}>
          <pre data-label={label}>{text}</pre>
        </section>
        <Tooltip label={copied ? t('Copied') : t('Copy')}>
          <ActionIcon
            variant="default"
            m="0.375rem"
            size="sm"
            onClick={copy}
            aria-label={copied ? t('Copied: {label}', { label }) : t('Copy: {label}', { label })}
          >
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      </Box>
    </Box>
  )
}
