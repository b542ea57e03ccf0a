import { Button, Menu, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { useChange } from '../../../api/hooks.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { notifyDone, notifyFailed } from '../../../shell/notify.tsx'
import { STARTABLE, type Startable, titleOf } from './job-kinds.ts'

/** Starts work on everything again. What cannot be undone is asked for first. */
export const StartJob = () => {
  const [asking, setAsking] = useState(false)
  const starting = useChange('start_job', {
    invalidates: ['list_jobs'],
    onSuccess: ({ kind }) => notifyDone(`${titleOf(kind)} has begun.`),
  })
  const start = (job_kind: Startable) => starting.mutate({ job_kind }, { onError: notifyFailed })
  return (
    <>
      <Menu position="bottom-end" width={340}>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            loading={starting.isPending}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            Do again
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {STARTABLE.map(({ kind, about }) => (
            <Menu.Item key={kind} onClick={() => (kind === 're_scrub' ? setAsking(true) : start(kind))}>
              <Text size="sm">{titleOf(kind)}</Text>
              <Text size="xs" c="dimmed">
                {about}
              </Text>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={asking}
        title="Remove personal data again?"
        action="Remove personal data"
        onConfirm={() => {
          setAsking(false)
          start('re_scrub')
        }}
        onClose={() => setAsking(false)}
      >
        What the present rules about personal data find is replaced in everything that this workspace has. That cannot
        be undone.
      </Confirm>
    </>
  )
}
