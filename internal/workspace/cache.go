package workspace

import (
	"container/list"
	"sync"
)

// maxCached bounds the texts that are kept, in files and in bytes: enough for
// the documents of a session and the source lines of its answers.
const (
	maxCached      = 512
	maxCachedBytes = 64 << 20
)

// cache keeps the most recently used texts. Its zero value is empty.
type cache struct {
	mu    sync.Mutex
	order list.List // of *entry, the most recent first; its zero value is empty
	byKey map[string]*list.Element
	bytes int
}

type entry struct {
	path string
	file *file
}

func (c *cache) get(path string) *file {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[path]
	if !ok {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry).file
}

func (c *cache) put(path string, f *file) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(path)
	if c.byKey == nil {
		c.byKey = map[string]*list.Element{}
	}
	c.byKey[path] = c.order.PushFront(&entry{path, f})
	c.bytes += f.text.Size()
	for c.order.Len() > maxCached || c.bytes > maxCachedBytes && c.order.Len() > 1 {
		c.remove(c.order.Back().Value.(*entry).path)
	}
}

func (c *cache) drop(path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(path)
}

func (c *cache) remove(path string) {
	e, ok := c.byKey[path]
	if !ok {
		return
	}
	c.order.Remove(e)
	delete(c.byKey, path)
	c.bytes -= e.Value.(*entry).file.text.Size()
}
