#!/usr/bin/perl
# An LRWP 1.0 peer in the manner of the 1990s: one sysread has to bring the acknowledgement.

use strict;
use warnings;
use IO::Socket::INET;

my %option = ('--requests' => 5, '--pause-ms' => 0);
my @names;
while (@ARGV) {
    my $argument = shift @ARGV;
    if (exists $option{$argument} && @ARGV && $ARGV[0] =~ /^\d+$/) {
        $option{$argument} = shift @ARGV;
    } elsif ($argument =~ /^--/) {
        usage();
    } else {
        push @names, $argument;
    }
}
usage() if @names < 3 || @names > 4;
my ($host, $port, $app, $vhost) = (@names, '');

my $socket = IO::Socket::INET->new(PeerAddr => $host, PeerPort => $port, Proto => 'tcp')
    or fail("cannot connect");
binmode $socket;
$socket->autoflush(1);
$| = 1;
$SIG{PIPE} = 'IGNORE';

print $socket "$app\xff$vhost\xff";
select(undef, undef, undef, $option{'--pause-ms'} / 1000);
my $ack = '';
defined sysread($socket, $ack, 1023) or fail("no acknowledgement");
fail($ack) if $ack ne 'OK';
print "registered\n";

for (my $served = 0; !$option{'--requests'} || $served < $option{'--requests'}; $served++) {
    my $block = read_block();
    last unless defined $block;
    my %env = map { split /=/, $_, 2 } grep { /=/ } split /\0/, $block;
    my $body = read_block();
    fail("connection broken within a request") unless defined $body;
    my $output = "Content-Type: text/plain\r\nX-Peer: perl\r\n\r\n"
        . join(' ', map { $env{$_} // '' } qw(REQUEST_METHOD PATH_INFO QUERY_STRING))
        . "\n$body";
    print $socket sprintf('%09d', length $output) or fail("write failed");
    print $socket $output or fail("write failed");
}
close $socket;

# Returns the bytes behind a length, undef at the end of input.
sub read_block {
    my $digits = read_bytes(9);
    return undef unless defined $digits;
    fail("bad length") unless $digits =~ /^[0-9]{9}\z/;
    return '' if $digits == 0;
    my $block = read_bytes($digits);
    fail("connection broken within a request") unless defined $block;
    return $block;
}

sub read_bytes {
    my ($count) = @_;
    my $bytes = '';
    while (length $bytes < $count) {
        my $n = sysread($socket, $bytes, $count - length $bytes, length $bytes);
        return undef if defined $n && $n == 0 && $bytes eq '';
        fail("connection broken within a request") unless $n;
    }
    return $bytes;
}

sub fail {
    print STDERR "echo_peer.pl: $_[0]\n";
    exit 1;
}

sub usage {
    print STDERR "echo_peer.pl HOST PORT APP [VHOST] [--requests N] [--pause-ms N]\n";
    exit 2;
}
