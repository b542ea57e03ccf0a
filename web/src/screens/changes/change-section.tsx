import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './changes.module.css'

interface Props {
  readonly title: string
  readonly count: number
  readonly children: ReactNode
}

export const ChangeSection = ({ title, count, children }: Props) => (
  <section className={classes.section}>
    <Title order={2} size="h3" mb="xs">
      {title}{' '}
      <Text span inherit c="dimmed" fw={400}>
        {count.toLocaleString('en')}
      </Text>
    </Title>
    {children}
  </section>
)
