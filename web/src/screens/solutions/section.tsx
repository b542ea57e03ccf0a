import { Button, Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { language } from '../../language/language.ts'
import classes from './solution.module.css'

interface Props {
  readonly title: string
  readonly count?: number
  readonly action?: { readonly label: string; readonly run: () => void } | null
  readonly children: ReactNode
}

/** A part of a Solution’s overview under its heading. */
export const Section = ({ title, count, action = null, children }: Props) => (
  <section>
    <Group justify="space-between" mb="sm">
      <Title order={2} size="h3">
        {title} {count !== undefined && <span className={classes.count}>{count.toLocaleString(language)}</span>}
      </Title>
      {action !== null && (
        <Button size="compact-sm" variant="subtle" onClick={action.run} data-chrome>
          {action.label}
        </Button>
      )}
    </Group>
    {children}
  </section>
)
