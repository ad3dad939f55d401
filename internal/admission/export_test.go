package admission

// Accounts returns how many accounts the queue remembers.
func (q *Queue) Accounts() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.accounts)
}
