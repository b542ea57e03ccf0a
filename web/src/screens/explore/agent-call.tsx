import { Button, Popover, Text } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { useState } from 'react'
import { copyText } from '../../parts/copy-text.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { agentCall } from './question.ts'
import type { ActivityQuery } from './vocabulary.ts'

/** Copies what is asked as the call that an agent makes, and shows it. */
export const AgentCall = ({ query }: { readonly query: ActivityQuery }) => {
  const [opened, setOpened] = useState(false)
  const [copied, setCopied] = useState(false)
  const text = agentCall(query)
  const copy = async () => {
    setCopied(await copyText(text))
    setOpened(true)
  }
  return (
    <Popover opened={opened} onChange={setOpened} width={420} position="bottom-end" trapFocus withArrow>
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<IconRobot size={14} />} onClick={copy}>
          Copy as tool call
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Tool call">
        <Text size="sm" mb="sm" role="status">
          {copied ? 'Copied. ' : ''}An agent that sends this to your MCP endpoint gets these figures.
        </Text>
        <Copyable label="JSON-RPC call" text={text} />
      </Popover.Dropdown>
    </Popover>
  )
}
