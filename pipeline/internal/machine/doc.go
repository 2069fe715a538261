// Package machine tells the memory of the machine and of this process. Units are bytes;
// nothing is kept between calls.
package machine
